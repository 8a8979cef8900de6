#!/bin/bash
set -euo pipefail
# finding: submit-without-arguments
sbatch run_one.sh
