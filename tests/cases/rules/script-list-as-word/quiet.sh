#!/bin/bash
folders=(/data/a /data/b)
hosts=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
one=(/data/a)
modes=(fast slow)
first=$modes
names=(a b)
names=$1
python prepare.py --input "${folders[@]}" --count ${#folders[@]} --host $hosts --one $one $first $names
for folder in "${folders[@]}"; do du -sh "$folder"; done
