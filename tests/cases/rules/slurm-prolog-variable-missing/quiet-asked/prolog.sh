#!/bin/bash
if [[ -n $SLURM_ARRAY_JOB_ID ]]; then
  id="${SLURM_ARRAY_JOB_ID}"
else
  id=$SLURM_JOB_ID
fi
if [[ -v SLURM_LOCALID ]]; then /usr/local/sbin/note-job "$SLURM_LOCALID"; fi
read -r SLURM_NNODES SLURM_NTASKS < "/run/jobs/$SLURM_JOB_ID"
for SLURM_NODEID in 0 1; do
  /usr/local/sbin/note-job "$id" "$SLURM_NNODES" "$SLURM_NTASKS" "$SLURM_NODEID"
done
exit 0
