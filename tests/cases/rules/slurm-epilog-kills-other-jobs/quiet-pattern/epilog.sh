#!/bin/bash
pkill -u "$SLURM_JOB_USER" -f "mps-server.*$SLURM_JOB_ID"
pkill -KILL -U "$SLURM_JOB_UID" ray
exit 0
