#!/bin/bash
#SBATCH --time=1:00:00 --cpus-per-task=8 --mem=40G
docker run -itd --name cache redis:7
docker run -i --rm --cpus 4 trainer:1 python prepare.py -it
srun --cpus-per-task=8 --pty docker run -it trainer:1 python prepare.py
