#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8
model=$(jq -r .model settings.json)
channels=$(jq -r .channels settings.json)
# channels_name=${channels//[][,.!]}
# channels_name=$(sed -e 's/"//g' <<<"$channels_name")
run=$model"_"$channels_name   # finding: sbatch-variable-never-set
srun -c 8 python train.py --channels "$channels" --out "$run"
