#!/bin/bash
#SBATCH --time=1:00:00
##SBATCH --mem=16G
#XSBATCH --mem=16G
#XBATCH --mem=16G
#SSBATCH --mem=16G
#BATCH of images
#MATCH --all
srun hostname
#BATCH --nodes=2
