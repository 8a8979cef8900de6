#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
export DATABASE_PORT=$(( 10000 + SLURM_JOB_ID % 50000 ))
export QUEUE_PORT=$((10000 + ${SLURM_JOB_ID: -4}))
database --port "$DATABASE_PORT" --queue "$QUEUE_PORT"
