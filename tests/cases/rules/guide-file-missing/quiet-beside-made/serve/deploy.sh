#!/bin/bash
set -euo pipefail
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
curl -fsSL -o "${SCRIPT_DIR}/calico.yaml" https://example.org/calico.yaml
kubectl apply -f "${SCRIPT_DIR}/calico.yaml"
python3 render.py --out "${SCRIPT_DIR}/rendered.yaml"
kubectl apply -f "${SCRIPT_DIR}/rendered.yaml"
source "${SCRIPT_DIR}/local.sh" || true
if test -f "${SCRIPT_DIR}/site.sh"; then
  source "${SCRIPT_DIR}/site.sh"
fi
OUT="${SCRIPT_DIR}/made.yaml"
python3 render.py --out "${OUT}"
kubectl apply -f "${OUT}"
