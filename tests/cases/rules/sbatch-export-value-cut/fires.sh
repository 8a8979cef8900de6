#!/bin/bash
sbatch --export=ALL,SIZES=128,256 job.sh   # finding: sbatch-export-value-cut
# finding: sbatch-export-value-cut
JOB=$(sbatch --parsable --export=ALL,TYPES=Q4_K,Q5_K job.sh)
srun --export=ALL,LAYERS=a.b,c.d python train.py   # finding: sbatch-export-value-cut
echo "$JOB"
