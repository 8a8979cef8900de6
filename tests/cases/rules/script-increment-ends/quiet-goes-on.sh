#!/bin/bash
set -u
total=0
for seed in 1 2 3; do
  ((total++))
done
echo "$total"
