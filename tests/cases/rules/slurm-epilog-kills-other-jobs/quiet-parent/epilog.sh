#!/bin/bash
pkill -P1 -u "$SLURM_JOB_USER"
pkill -KILL --parent 1 -u "$SLURM_JOB_USER"
pkill -KILL --uid "$SLURM_JOB_UID" --session 0
killall -y 1h -u "$SLURM_JOB_USER"
exit 0
