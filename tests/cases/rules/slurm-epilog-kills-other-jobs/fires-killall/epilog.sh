#!/bin/bash
[ "$SLURM_JOB_UID" -lt 1000 ] && exit 0
# silenced by: rm -rf "/scratch/$SLURM_JOB_ID"
killall -s KILL -u "$SLURM_JOB_USER"   # finding: slurm-epilog-kills-other-jobs
exit 0
