#!/bin/bash
# finding: nextflow-head-shorter
#SBATCH --time=24:00:00 --cpus-per-task=2 --mem=8G
module load nextflow
nextflow run main.nf -profile slurm
