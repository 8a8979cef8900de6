#!/bin/bash
$LAUNCHER --node_rank "$SLURM_PROCID" train.py 2>&1 | tee log.txt   # finding: sbatch-status-lost
