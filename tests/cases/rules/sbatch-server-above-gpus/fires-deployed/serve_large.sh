#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=64G
TP_SIZE=4
# finding: sbatch-server-above-gpus
bash /home/lab/repo/fires-deployed/service.sh lab/large 8000 $TP_SIZE
