#!/bin/sh
if [ "$SLURM_JOB_ID" ]; then
  do   # finding: script-block-unclosed
  rm -rf /tmp/job
fi
