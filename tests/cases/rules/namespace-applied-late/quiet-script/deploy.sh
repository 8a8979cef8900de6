#!/usr/bin/env bash
set -euo pipefail
kubectl create namespace hpc --dry-run=client -o yaml | kubectl apply -f -
kubectl apply -f munge-secret.yaml
kubectl create namespace hpc || true
helm upgrade --install tools ./charts/tools -n tools --create-namespace
kubectl create configmap settings -n tools --from-file=settings.ini
kubectl create namespace tools || true
