#!/bin/bash
others=$(sacct -n -X -u "$SLURM_JOB_USER" -N "$SLURMD_NODENAME" -s R | wc -l)
[ "$others" -gt 1 ] || pkill -KILL -u "$SLURM_JOB_USER"
exit 0
