#!/bin/bash
command=(
  sbatch
  --parsable
  # whole nodes
  --exclusive
  "$(dirname "$0")/job.sh"
)
"${command[@]}"
