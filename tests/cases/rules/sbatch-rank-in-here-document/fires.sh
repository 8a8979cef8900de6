#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=4 --time=1:00:00
EACH="./each_${SLURM_JOB_ID}.sh"
cat > "${EACH}" << EOF
#!/bin/bash
echo "this is task \$SLURM_PROCID"
# silenced by: export RANK=\$SLURM_PROCID
export RANK=$SLURM_PROCID   # finding: sbatch-rank-in-here-document
export LOCAL_RANK=\$SLURM_LOCALID
python train.py
EOF
chmod +x "${EACH}"
srun --cpus-per-task=4 "${EACH}"
