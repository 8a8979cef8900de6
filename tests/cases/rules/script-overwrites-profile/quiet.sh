#!/bin/bash
#SBATCH --time=00:10:00
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
set -e
echo "source /shared/conda/bin/activate" >> ~/.bashrc
echo "module load cuda" > "$HOME/.bashrc.d"
