#!/bin/bash
munged
slurmctld
# finding: slurm-log-followed-elsewhere
tail -f /var/log/slurm/slurmctld.log
