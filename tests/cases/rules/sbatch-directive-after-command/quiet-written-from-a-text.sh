#!/bin/bash
#SBATCH --job-name=launcher
# A launcher that writes batch scripts: the directives within its texts are for those, not for itself.
for n in 1 2 4; do
  echo "#!/bin/bash
#SBATCH --nodes=$n
#SBATCH --exclusive
srun hostname" > job-$n.sh
  body='#!/bin/bash
#SBATCH --nodes=2
'
  sbatch job-$n.sh
done
