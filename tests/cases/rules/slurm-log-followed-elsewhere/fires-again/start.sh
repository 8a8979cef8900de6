#!/bin/bash
munged
slurmctld
# finding: slurm-log-followed-elsewhere
exec tail -n 100 -F /var/log/slurm/slurmctld.log
