#!/bin/bash
sbatch --ntasks-per-node=4 train.sh
