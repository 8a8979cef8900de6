#!/bin/bash
JOBS=/shared/jobs
cd "$JOBS" || exit 1
sbatch evaluate.sbatch
