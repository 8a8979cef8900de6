#!/bin/bash
hosts=(a b)
for ((i=1; i<=${#hosts[@]}; i++)); do
  echo "$i: ${hosts[i-1]}"
done
for ((i=1; i<${#hosts[@]}; i++)); do echo "${hosts[i]}"; done
declare -A racks
for ((i=1; i<=${#racks[@]}; i++)); do echo "${racks[$i]}"; done
named[1]=a
for ((i=1; i<=${#named[@]}; i++)); do echo "${named[$i]}"; done
padded=("" a b)
for ((i=1; i<=${#padded[@]}; i++)); do echo "${padded[$i]}"; done
