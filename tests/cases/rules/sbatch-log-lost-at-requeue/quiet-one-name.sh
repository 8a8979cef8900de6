#!/bin/bash
#SBATCH --nodes=1 --time=1-0 --requeue
#SBATCH --output=train.log   # finding: sbatch-output-overwritten
./train --resume
