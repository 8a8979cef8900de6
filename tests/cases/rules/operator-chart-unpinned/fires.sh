#!/bin/sh
set -eu
helm repo add nvidia https://helm.ngc.nvidia.com/nvidia
# vary: --wait => --version v25.10.1
helm upgrade --install --wait --namespace gpu-operator gpu-operator nvidia/gpu-operator   # finding: operator-chart-unpinned
