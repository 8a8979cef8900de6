#!/bin/bash
set -euo pipefail
kubectl apply -f all.yaml
kubectl -n monitoring expose deployment serve --port 8000
