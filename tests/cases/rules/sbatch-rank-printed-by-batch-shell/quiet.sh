#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=4 --time=1:00:00
cat > each.sh << EOF
#!/bin/bash
# once it was $SLURM_PROCID
echo "Task \${SLURM_PROCID} of $SLURM_NTASKS"
python train.py
EOF
srun --cpus-per-task=4 bash each.sh
