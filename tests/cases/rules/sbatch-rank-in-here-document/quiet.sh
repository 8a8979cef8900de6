#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=4 --time=1:00:00
cat > each.sh << 'EOF'
export RANK=$SLURM_PROCID
python train.py
EOF
cat > all.sh << EOF
export RANK=\$SLURM_PROCID NODE=$SLURM_NODEID
python train.py
EOF
cat > about.txt << EOF
begun by task $SLURM_PROCID
EOF
srun --cpus-per-task=4 bash each.sh
srun --cpus-per-task=4 bash all.sh
