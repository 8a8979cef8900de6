#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl rollout status deploy/granite-2b-predictor -n ml --timeout=600s
