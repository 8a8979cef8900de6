#!/bin/bash
#SBATCH --time=1:00:00
sbatch --time=1:00:00 --wrap="report on ${SLURM_JOB_ID}"
