#!/bin/bash
set -euo pipefail
set +u
source /opt/conda/bin/activate
set -u
make
if [ $? -ne 0 ]; then   # finding: script-status-never-seen
  echo "not built"
fi
