#!/bin/bash
munged
slurmctld
tail -f /var/log/slurmctld.log
