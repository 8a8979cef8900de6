#!/bin/bash
[ "$SLURM_JOB_UID" -lt 1000 ] && exit 0
squeue -j "$SLURM_JOB_ID" -h -o %j >> /var/log/epilog.log
# silenced by: rm -rf "/scratch/$SLURM_JOB_ID"
pkill -KILL -u "$SLURM_JOB_USER"   # finding: slurm-epilog-kills-other-jobs
exit 0
