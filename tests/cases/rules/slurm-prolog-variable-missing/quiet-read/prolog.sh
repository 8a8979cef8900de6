#!/bin/bash
if [ -r /etc/slurm/env ]; then . /etc/slurm/env; fi
/usr/local/sbin/note-job "$SLURM_JOB_ID" "$SLURM_NNODES"
exit 0
