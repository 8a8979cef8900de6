#!/bin/bash
set -e
total=0
one=1
pre=0
used=0
called=0
note() {
  ((called++))
}
for seed in 1 2 3; do
  sbatch train.sh "$seed"
  ((total++)) || true
  ((one++))
  ((++pre))
  total=$((total + 1))
  while ((used++ < 3)); do echo "$used"; done
  if note; then echo "$called"; fi
done
for ((i = 0; i < 3; i++)); do echo "$i"; done
echo "$total $one $pre"
