#!/bin/bash
set -e
if [ "$(kubectl get nodes --no-headers | grep Ready | grep -v Not | wc -l)" -lt 4 ]; then exit 1; fi
n=$(kubectl get nodes --no-headers | grep Ready \
  | grep -vc NotReady)
until kubectl get nodes --no-headers | grep Ready | awk '$2 == "Ready" {print $1}' | grep -q gpu; do sleep "$n"; done
echo "Nodes:"
kubectl get nodes | grep 'Ready'
