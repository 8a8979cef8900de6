#!/bin/bash
# finding: sbatch-nodes-reversed
#SBATCH --nodes=8-4
hostname
