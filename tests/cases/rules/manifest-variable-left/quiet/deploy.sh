#!/bin/bash
set -e
export REGISTRY=registry.example.com
envsubst < app.yaml | kubectl apply -f -
kubectl apply -f app.yaml --dry-run=client
