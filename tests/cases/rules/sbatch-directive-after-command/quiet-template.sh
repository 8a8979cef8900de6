#!/bin/bash
${PARTITION_OPTION}
#SBATCH --ntasks=1 --time=60
./solve
