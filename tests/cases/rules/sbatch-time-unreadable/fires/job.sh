#!/bin/bash
# finding: sbatch-time-unreadable
#SBATCH --time=1d
hostname
