#!/bin/bash
set -e
helm repo add nvidia https://helm.ngc.nvidia.com/nvidia
# later
helm upgrade gpu-operator nvidia/gpu-operator --version v25.10.0 -n gpu-operator --create-namespace \
  --set driver.enabled=false
helm upgrade --install kueue oci://registry.k8s.io/kueue/charts/kueue --version 0.15.0
