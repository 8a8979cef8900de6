#!/bin/bash
#SBATCH --job-name=mixed
#SBATCH --nodes=1 --ntasks-per-node=3 --time=01:00:00
FILE="mixed-${SLURM_JOB_ID}.conf"
cat > "$FILE" <<EOF
0-1 ./first
# silenced by: 2 ./second
1,2 ./second   # finding: sbatch-multi-prog-ranks
EOF
srun --multi-prog "$FILE"
