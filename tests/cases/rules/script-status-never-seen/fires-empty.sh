#!/bin/bash
set -euo pipefail
LAST=$(ls out/*/step-*.ckpt 2>/dev/null | sort | tail -n 1)   # the newest
if [[ -z "$LAST" ]]; then   # finding: script-status-never-seen
  echo "nothing to go on from" >&2
  exit 1
fi
python train.py --resume "$LAST"
