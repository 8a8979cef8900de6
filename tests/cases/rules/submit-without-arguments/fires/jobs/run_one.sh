#!/bin/bash
#SBATCH --time=1:00:00
set -euo pipefail
INPUT="$1"
OUTPUT="$2"
srun ./analyse "$INPUT" "$OUTPUT"
