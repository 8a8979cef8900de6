#!/bin/bash
# finding: sbatch-partition-unknown
#SBATCH --partition=bacth --time=1:00:00
./simulate
