#!/bin/bash
# finding: sbatch-kill-on-bad-exit
#SBATCH --kill-on-bad-exit
hostname
