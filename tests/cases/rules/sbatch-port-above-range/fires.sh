#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
export DATABASE_PORT=$(( $SLURM_JOB_ID + 10000 ))   # finding: sbatch-port-above-range
database --port "$DATABASE_PORT"
