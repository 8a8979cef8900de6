#!/bin/bash
#SBATCH --partition=low --clusters=other --nodes=60
srun hostname
