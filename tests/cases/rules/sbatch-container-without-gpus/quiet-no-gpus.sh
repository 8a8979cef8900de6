#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=0 --cpus-per-task=8 --mem=40G
singularity exec variant.sif run_variant --reads a.bam
