#!/bin/bash
#SBATCH --time=10
mask=$(( 1 << bits ))
cat > job.sh <<%EOF%
#!/bin/bash
#SBATCH --time=20
%EOF%
cat <<"END-OF.IT" >> job.sh
#SBATCH --nodes=2
END-OF.IT
sbatch job.sh
