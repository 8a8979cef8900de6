#!/bin/bash
#SBATCH --nodes=1 --time=1-0 --environment=train --uenv=prgenv-gnu --view=default
srun hostname
