#!/bin/bash
#SBATCH --job-name=mixed
#SBATCH --nodes=1 --ntasks-per-node=3 --time=01:00:00
FILE="mixed-${SLURM_JOB_ID}.conf"
cat > "$FILE" <<EOF
# the first
1 ./first   # finding: sbatch-multi-prog-ranks
2 ./second
3 ./third
EOF
srun --multi-prog "$FILE"
