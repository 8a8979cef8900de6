#!/bin/bash
#SBATCH --nodes=4
srun ./simulate
