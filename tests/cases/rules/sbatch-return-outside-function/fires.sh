#!/bin/bash
#SBATCH --time=1:00:00 --ntasks=1
if [ -z "$1" ]; then
  return 1   # finding: sbatch-return-outside-function
fi
python test.py "$1"
