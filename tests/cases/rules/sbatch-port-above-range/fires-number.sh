#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
# silenced by: export HTTP_PORT=8080
export HTTP_PORT=80800   # finding: sbatch-port-above-range
./serve
