#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --comment="costs 5$"
#SBATCH --output=logs/%x-%j.out
echo ${NODES}
