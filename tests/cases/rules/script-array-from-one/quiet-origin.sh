#!/bin/bash
mapfile -t -O 1 hosts < hosts.txt
for ((i=1; i<=${#hosts[@]}; i++)); do echo "${hosts[$i]}"; done
