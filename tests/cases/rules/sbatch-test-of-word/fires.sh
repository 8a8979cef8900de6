#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
./simulate
status=$?
# silenced by: if [ $status == 0 ]; then
if [ $status==0 ]; then   # finding: sbatch-test-of-word
  echo done
fi
