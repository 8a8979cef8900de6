#!/bin/bash
sbatch train.sbatch --export=ALL,SIZE=7b   # finding: sbatch-options-behind-script
