#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl wait --for=delete deployment/old-chat -n ml --timeout=60s
if kubectl get deployment legacy -n ml >/dev/null 2>&1; then
  kubectl rollout status deployment/legacy -n ml
fi
kubectl rollout status deployment/optional -n ml || true
kubectl get deployment former -n ml
kubectl rollout status deployment/former -n ml
