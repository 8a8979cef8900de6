#!/bin/bash
export SIZES=128,256
sbatch --export=ALL,SIZES job.sh
sbatch --export=NONE job.sh
sbatch --export=ALL,NAME=base,SEED=3,HOME job.sh
sbatch --export=ALL,"SIZES='128,256'" job.sh
sbatch --export=A=$FIRST,$MORE job.sh
python export.py --export=a=1,2
