#!/bin/bash
set -euo pipefail
DATA_DIR=$(dirname "$1")
kubectl apply -f ${DATA_DIR}/queue.yaml
