export MASTER_ADDR=$(scontrol show hostname $SLURM_NODELIST | head -n 1)
# finding: sbatch-program-missing
torchrun --nnodes=2 --nproc_per_node=4 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:$((20000 + SLURM_JOB_ID % 20000)) train_cifar_2.py
