#!/bin/bash
#SBATCH --job-name=mixed
#SBATCH --nodes=1 --ntasks-per-node=3 --time=01:00:00
FILE="mixed-${SLURM_JOB_ID}.conf"
cat > "$FILE" <<EOF
0 ./first
1-$LAST ./second
EOF
srun --multi-prog "$FILE"
