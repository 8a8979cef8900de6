#!/bin/sh
#SBATCH --time=1:00:00 --ntasks=1
[ -n "$1" ] || return 1
python test.py "$1"
