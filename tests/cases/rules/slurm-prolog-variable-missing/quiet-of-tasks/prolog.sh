#!/bin/bash
/usr/local/sbin/note-job "$SLURM_JOB_ID" "$SLURM_PROCID"
exit 0
