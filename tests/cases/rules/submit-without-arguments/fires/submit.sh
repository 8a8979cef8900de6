#!/bin/bash
set -euo pipefail
SCRIPT=jobs/run_one.sh
for OFFSET in 0 100 200; do
  # finding: submit-without-arguments
  sbatch --export=OFFSET="$OFFSET" "$SCRIPT"
done
