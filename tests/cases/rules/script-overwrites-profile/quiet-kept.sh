#!/bin/bash
#SBATCH --time=00:10:00
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
set -e
cp ~/.bashrc ~/.bashrc.before
echo "module load cuda" > "$HOME/.bashrc"
