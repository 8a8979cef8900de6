#!/bin/bash
# finding: sbatch-directive-unreadable
#SBATCH --nodes 4 eight
hostname
