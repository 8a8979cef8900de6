#!/bin/bash
command -v pkill -u "$SLURM_JOB_USER" > /dev/null
logger pkill -u "$SLURM_JOB_USER"
exit 0
