#!/bin/bash
nohup /usr/local/sbin/warm-cache "$SLURM_JOB_ID" > /dev/null 2>&1 &
/usr/local/sbin/check-gpus
wait
exit 0
