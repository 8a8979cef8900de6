#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl rollout status deploy/granite-2b -n ml --timeout=600s
