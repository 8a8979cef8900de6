#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=4 --time=1:00:00
cat > node.sh << EOF
echo "this is node $SLURM_NODEID"
# finding: sbatch-rank-in-here-document
torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_NODEID --master_addr=$(hostname) --master_port=2\${SLURM_JOB_ID: -4} train.py
EOF
srun --cpus-per-task=4 bash node.sh
