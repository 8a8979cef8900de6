#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --cpus-per-task=32 --gpus-per-node=4 --mem=200G --time=01:00:00
bash start.sh example/model 8 8000
bash outer.sh 8
bash /opt/vendor/scripts/vendor.sh
