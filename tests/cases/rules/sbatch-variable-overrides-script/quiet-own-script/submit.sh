#!/bin/bash
export SBATCH_TIMELIMIT=01:00:00
sbatch train.sbatch
