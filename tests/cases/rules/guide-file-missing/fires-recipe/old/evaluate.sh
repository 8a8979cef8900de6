#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=10:00
hostname
