#!/bin/bash
set -euo pipefail
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
sed "s/NAME/$1/" "${SCRIPT_DIR}/map.yaml" > "${SCRIPT_DIR}/filled.yaml"
kubectl apply -f "${SCRIPT_DIR}/filled.yaml"
if [ -f "${SCRIPT_DIR}/secret-local.yaml" ]; then
  kubectl apply -f "${SCRIPT_DIR}/secret-local.yaml"
fi
