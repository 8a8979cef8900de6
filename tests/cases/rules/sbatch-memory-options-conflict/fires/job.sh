#!/bin/bash
# finding: sbatch-memory-options-conflict
#SBATCH --mem=10G --mem-per-cpu=1G
hostname
