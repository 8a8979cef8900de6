# Trains the model.
#!/bin/bash   # finding: sbatch-shebang-not-first
#SBATCH --nodes=2 --exclusive
#SBATCH --time=1:00:00
srun hostname
