#!/bin/bash
#SBATCH --partition=batch --time=1:00:00 --nodes=40
srun ./simulate
