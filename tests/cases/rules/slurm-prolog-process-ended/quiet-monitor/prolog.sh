#!/bin/bash
set -m
nohup /usr/local/sbin/sample-power "$SLURM_JOB_ID" > /dev/null 2>&1 &
exit 0
