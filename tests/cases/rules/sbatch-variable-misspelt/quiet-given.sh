#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-gpu=8 --time=1-0
# The shell, the login and Slurm set these.
set -euo pipefail
HOSTNAMES=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
LOG_NAME=run.log
TMP_DIR=/scratch/run
USERS=lab
cp -r data "$TMPDIR"
echo "$LOGNAME of $USER on $HOSTNAME of $HOSTNAMES"
srun python train.py --log "$LOG_NAME" --tmp "$TMP_DIR" --users "$USERS"
