#!/bin/bash
set -e
module load cuda
if [ "$1" = long ]; then
  python train.py --long
else
  python train.py
fi

CODE=$?   # finding: script-status-never-seen
echo "$CODE"
if [ "$CODE" -ne 0 ]; then
  cp core.* /shared/logs/
fi
