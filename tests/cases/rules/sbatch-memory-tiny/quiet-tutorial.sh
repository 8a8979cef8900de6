#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --mem=100
hostname
