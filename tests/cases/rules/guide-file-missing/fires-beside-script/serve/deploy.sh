#!/bin/bash
set -euo pipefail
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
SPEC="${SCRIPT_DIR}/serve-two-nodes.yaml" # finding: guide-file-missing
kubectl apply -f "${SPEC}"
kubectl apply -f "${SCRIPT_DIR}/map.yaml"
