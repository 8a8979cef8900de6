#!/bin/bash
#SBATCH --partition=epyc --time=1:00:00
./simulate
