#!/bin/bash
#SBATCH --job-name=nccl
#SBATCH --nodes=2 --exclusive --time=01:00:00
set -eox pipefail
srun ./all_reduce_perf -b 8 -e 8G
