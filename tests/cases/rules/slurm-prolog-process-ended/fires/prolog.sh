#!/bin/bash
start_monitor() {
  # finding: slurm-prolog-process-ended
  nohup /usr/local/sbin/sample-power "$SLURM_JOB_ID" > /dev/null 2>&1 &
}
start_monitor
exit 0
