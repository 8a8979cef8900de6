#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --time=1:00:00
cat > mp.conf <<EOF
0 ./master
EOF
for i in 1 2 3; do echo "$i ./worker" >> mp.conf; done
srun --ntasks=4 --multi-prog mp.conf
