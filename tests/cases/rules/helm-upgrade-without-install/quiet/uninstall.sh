#!/bin/bash
set -e
helm repo add nvidia https://helm.ngc.nvidia.com/nvidia
# the other way
helm upgrade dra-driver nvidia/dra-driver --version v25.10.0 -n dra-driver --create-namespace \
  --set driver.enabled=false
helm upgrade --install kueue oci://registry.k8s.io/kueue/charts/kueue --version 0.15.0
