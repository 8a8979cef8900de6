#!/bin/bash
#SBATCH --partition=pa --time=1:00:00 --nodes=40
srun ./simulate
