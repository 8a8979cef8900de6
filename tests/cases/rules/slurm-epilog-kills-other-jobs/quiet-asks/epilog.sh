#!/bin/bash
others=$(squeue -h -w "$(hostname -s)" -u "$SLURM_JOB_USER" -o %A | grep -v "$SLURM_JOB_ID")
[ -n "$others" ] && exit 0
pkill -KILL -u "$SLURM_JOB_USER"
exit 0
