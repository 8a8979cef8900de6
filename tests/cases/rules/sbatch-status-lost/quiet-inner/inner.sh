#!/bin/bash
set -o pipefail
$LAUNCHER --node_rank "$SLURM_PROCID" train.py 2>&1 | tee log.txt
