#!/bin/bash
sbatch train.sbatch
cat > made.sbatch <<E
E
sbatch made.sbatch
sbatch /shared/other.sbatch
sbatch "$1.sbatch"
echo "now: sbatch other.sbatch"
cat > notes <<E
sbatch other.sbatch
E
