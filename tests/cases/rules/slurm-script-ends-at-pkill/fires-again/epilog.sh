#!/bin/bash
set -e
if pgrep -f "worker.*$SLURM_JOB_ID" > /dev/null; then
  pkill -TERM -f "worker.*$SLURM_JOB_ID" 2> /dev/null || true
  sleep 2
  # silenced by: pkill -KILL -f "worker.*$SLURM_JOB_ID" 2> /dev/null || true
  pkill -KILL -f "worker.*$SLURM_JOB_ID" 2> /dev/null   # finding: slurm-script-ends-at-pkill
fi
