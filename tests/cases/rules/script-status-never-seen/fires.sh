#!/bin/bash
# silenced by: nothing
set -euo pipefail
kubectl apply \
  -f queue.yaml

# did it work?
if [ $? -ne 0 ]; then   # finding: script-status-never-seen
  echo "no queue"
fi
