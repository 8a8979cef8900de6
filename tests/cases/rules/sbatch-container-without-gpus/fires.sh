#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
# silenced by: singularity exec --nv variant.sif run_variant --reads a.bam
singularity exec variant.sif run_variant --reads a.bam   # finding: sbatch-container-without-gpus
