#!/bin/bash
sbatch slurm/wrapper.bash experiments/first.sh
sbatch --parsable gpu.job experiments/first.sh
sbatch -p gpu experiments/lax.sh
sbatch made/job.sh
