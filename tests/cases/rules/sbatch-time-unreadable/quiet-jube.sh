#!/bin/bash
#SBATCH --time=#TIMELIM#
#SBATCH --nodes=1 #COMMENT here
srun a
