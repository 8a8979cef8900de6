#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --time=1:00:00
cat > mp.conf <<EOF
0 ./master
EOF
[ "$MODE" = small ] || cp all.conf mp.conf
srun --ntasks=4 --multi-prog mp.conf
