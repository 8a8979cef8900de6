#!/bin/bash
#SBATCH --time=1:00:00
usage() {
  cat <<EOF
  apptainer exec --bind /a, /b image.sif python train.py
EOF
}
[ $# -gt 0 ] || usage
srun python train.py
