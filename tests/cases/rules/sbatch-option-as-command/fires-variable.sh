#!/bin/bash
#SBATCH --ntasks=1 --time=1:00:00
INPUT=a.fasta
fold
    --paths="$INPUT"   # finding: sbatch-option-as-command
