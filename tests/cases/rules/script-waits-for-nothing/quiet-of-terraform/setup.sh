#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl rollout status deployment/kuberay-operator -n ml
