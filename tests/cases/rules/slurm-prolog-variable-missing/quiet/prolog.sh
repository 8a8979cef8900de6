#!/bin/bash
NODES="${SLURM_NNODES:-$SLURM_JOB_NUM_NODES}"
SLURM_JOB_NAME=$(squeue -h -j "$SLURM_JOB_ID" -o %j)
if [ -n "$SLURM_STEP_ID" ]; then exit 0; fi
echo "prolog of $SLURM_JOB_ID in $SLURM_SUBMIT_DIR"
/usr/local/sbin/note-job "$SLURM_JOB_ID" "$NODES" "$SLURM_JOB_NAME" "$SLURM_STEP_ID" "$SLURM_JOB_CPUS_PER_NODE"
exit 0
