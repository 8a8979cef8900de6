#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --comment="costs 5$"
#SBATCH --output=%x-%j.out
echo ${NODES}
