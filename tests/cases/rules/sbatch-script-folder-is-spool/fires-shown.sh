#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
HERE=$(dirname "$(realpath "$0")")   # finding: sbatch-script-folder-is-spool
echo "Submitted from $SLURM_SUBMIT_DIR, see"
echo "  scontrol show job $SLURM_JOB_ID"
python "$HERE/train.py"
