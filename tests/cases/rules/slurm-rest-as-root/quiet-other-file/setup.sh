#!/bin/bash
sed -i "s/^ExecStart=/User=slurmrest\nExecStart=/" /usr/lib/systemd/system/slurmrestd.service
