#!/bin/bash
set -e
until kubectl get nodes | grep -qw Ready; do sleep 5; done
until kubectl get nodes | grep -q " Ready"; do sleep 5; done
kubectl get nodes | grep Ready | grep -v NotReady
kubectl get nodes -o wide | grep Ready
kubectl get nodes
echo done | grep -q Ready || true
