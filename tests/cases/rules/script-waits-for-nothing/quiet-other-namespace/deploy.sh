#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl rollout status deploy/cert-manager -n cert-manager --timeout=600s
