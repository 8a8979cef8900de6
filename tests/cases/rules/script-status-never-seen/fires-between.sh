#!/bin/bash
set -e
A=$(ls ${OUT}/*/snapshot-$STEP.pkl 2>/dev/null)
if [[ -z "$A" ]]; then   # finding: script-status-never-seen
  exit 1
fi
