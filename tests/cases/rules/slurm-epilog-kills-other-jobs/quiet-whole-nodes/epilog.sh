#!/bin/bash
pkill -KILL -u "$SLURM_JOB_USER"
exit 0
