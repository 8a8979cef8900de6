#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
cat > note.txt <<'EOF'
one \ 
  two
EOF
# python old.py \ 
#   --output out
# A folder whose name ends with a blank.
ls /scratch/old\ 
  date
python fold.py --model multimer \
    --output /scratch/out
