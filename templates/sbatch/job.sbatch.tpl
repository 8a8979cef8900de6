#!/bin/bash
#SBATCH --job-name={{NAME}}
#SBATCH --nodes={{NODES}}
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node={{GPUS}}
#SBATCH --exclusive
#SBATCH --partition={{PARTITION}}
{{#SEGMENT}}#SBATCH --segment={{SIZE}}
{{/SEGMENT}}{{#ACCOUNT}}#SBATCH --account={{TENANT}}
{{/ACCOUNT}}#SBATCH --time=1-00:00:00
#SBATCH --requeue
#SBATCH --open-mode=append

# --nodes is one number, so that the job is granted whole or waits. One task a node starts torchrun, which starts a rank
# for each GPU. The rendezvous is the first node of the allocation, looked up before srun.
{{#SEGMENT}}#
# --segment: the nodes come in parts of that many, each within one block and so one NVLink domain. It has to divide
# --nodes. A smaller part finds its place sooner when nodes of a domain are down.
{{/SEGMENT}}head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)

# A rank that dies ends all of them: the others would wait in a collective.
srun --kill-on-bad-exit=1 torchrun \
  --nnodes="$SLURM_NNODES" --nproc-per-node={{GPUS}} \
  --rdzv-backend=c10d --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$head:29500" \
  train.py "$@"
