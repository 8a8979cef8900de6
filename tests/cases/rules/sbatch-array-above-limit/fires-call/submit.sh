#!/bin/bash
sbatch --array=5,60 --wrap=hostname   # finding: sbatch-array-above-limit
