#!/bin/bash
set -e
if ! helm status gpu-operator; then
  helm install gpu-operator nvidia/gpu-operator --version v25.10.0 -n gpu-operator
fi
helm upgrade gpu-operator nvidia/gpu-operator --version v25.10.0 -n gpu-operator
