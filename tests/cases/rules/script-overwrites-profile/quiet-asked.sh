#!/bin/bash
#SBATCH --time=00:10:00
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
set -e
[ -f ~/.bash_profile ] || echo 'source ~/.bashrc' > ~/.bash_profile
srun --cpus-per-task=4 --container-image=/images/train.sqsh bash -c 'echo "module load cuda" > ~/.bashrc'
