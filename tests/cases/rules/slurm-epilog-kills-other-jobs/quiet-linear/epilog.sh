#!/bin/bash
pkill -KILL -U "$SLURM_JOB_UID"
exit 0
