#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
echo "nodes: $(scontrol show hostnames "$SLURM_JOB_NODELIST" | tr '\n' ' ')"
# finding: sbatch-standalone-on-nodes
srun -c 64 apptainer exec --nv image.sif bash -c 'python -m torch.distributed.run --standalone --nnodes=1 --nproc_per_node=8 train.py'
