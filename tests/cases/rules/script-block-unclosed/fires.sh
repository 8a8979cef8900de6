#!/bin/bash
for size in 1 8 32; do
  export SIZE=$size
  for rate in 2 4; do   # finding: script-block-unclosed
    ./bench.sh "$rate"
done
