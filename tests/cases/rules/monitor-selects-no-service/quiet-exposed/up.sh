#!/bin/bash
set -euo pipefail
kubectl apply -f all.yaml
kubectl -n monitoring expose daemonset dcgm-exporter --port 9400
