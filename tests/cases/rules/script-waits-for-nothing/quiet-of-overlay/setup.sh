#!/bin/bash
set -e
kubectl apply --server-side -k "github.com/example/trainer//manifests?ref=v1"
kubectl apply -f serve.yaml
kubectl rollout status deployment/trainer -n ml
