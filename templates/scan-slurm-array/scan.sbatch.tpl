#!/bin/bash
#SBATCH --job-name=muster-scan
#SBATCH --array=1-8
#SBATCH --partition={{PARTITION}}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --output=muster-scan-%A_%a.log

# Checks every repository below a folder that all nodes of fleet {{FLEET}} see, each by itself, a shard a task:
#
#   sbatch --wait scan.sbatch /srv/repositories /srv/results
#   muster merge /srv/results/shard-*.json --format sarif=muster.sarif
#
# The results folder is to be empty. merge says which shard is missing; `sbatch --array=3 ...` runs that one again.
set -eu
# As many as --array has tasks. SLURM_ARRAY_TASK_COUNT would be 1 where one task is run again.
shards=8
mkdir -p "$2"
# Findings fail the merge, not the tasks.
muster check --shard "$SLURM_ARRAY_TASK_ID/$shards" --fail-on never --quiet -j 1 \
  --format "json=$2/shard-$SLURM_ARRAY_TASK_ID.json" "$1"
