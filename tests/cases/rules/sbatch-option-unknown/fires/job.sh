#!/bin/bash
# finding: sbatch-option-unknown
#SBATCH --nodez=8
hostname
