#!/bin/bash
#SBATCH --job-name=tasks
#SBATCH --time=1:00:00 --output=tasks_%j --partition=em
srun train
