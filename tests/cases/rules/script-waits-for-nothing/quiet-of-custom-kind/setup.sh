#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl wait --for=condition=Available deployment/activator -n ml
