#!/bin/bash
# finding: sbatch-quote-unmatched
#SBATCH --job-name="train
#SBATCH --comment="the user's run"
# finding: sbatch-quote-unmatched
#SBATCH --comment=the user's run --nodes=4   # finding: sbatch-option-twice
srun hostname
