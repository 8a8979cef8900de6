#!/bin/bash
# no pipefail: ls may find nothing
set -e
A=$(ls -t out/*.pt 2>/dev/null | head -1)
if [ -z "$A" ]; then
  echo "from the beginning"
fi
set -o pipefail
python fit.py | tee log
