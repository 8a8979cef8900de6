#!/bin/bash
hosts=(a b)
for ((i=1; i<=${#hosts[@]}; i++)); do   # finding: script-array-from-one
  echo "${hosts[i]}"
done
ips=(1 2)
for n in $(seq 1 ${#ips[@]}); do echo "${ips[$n]}"; done   # finding: script-array-from-one
