#!/bin/bash
if pkill -0 -u "$SLURM_JOB_USER"; then
  logger "processes of $SLURM_JOB_USER are left"
fi
pkill --signal CONT -u "$SLURM_JOB_USER"
killall -s 0 -u "$SLURM_JOB_USER"
exit 0
