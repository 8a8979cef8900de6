#!/bin/bash
echo "second part of $SLURM_JOB_ID"
sbatch --time=1:00:00 --wrap="report on ${SLURM_JOB_ID}"
