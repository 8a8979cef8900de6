#!/bin/bash
tail -f /srv/lab/log/slurmctld.log
