#!/bin/bash
# finding: sbatch-long-option-with-one-dash
#SBATCH -exclusive
hostname
