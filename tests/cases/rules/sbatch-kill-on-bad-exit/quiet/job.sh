#!/bin/bash
#SBATCH --nodes=1
srun --kill-on-bad-exit hostname
