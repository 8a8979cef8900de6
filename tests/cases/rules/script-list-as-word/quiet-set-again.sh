#!/bin/bash
hosts=(node1 node2)
for h in "${hosts[@]}"; do
  ssh "$h" true
done
while IFS= read -r hosts; do
  ping -c1 "$hosts"
done < more.txt
gpus=(0 1 2)
printf -v gpus '%s,' "${gpus[@]}"
python fit.py --gpus "$gpus"
modes=(fast slow)
IFS=, read -r -a modes <<< "$2"
python fit.py $modes
