#!/bin/bash
set -e
export REGISTRY=registry.example.com
kubectl apply -f app.yaml   # finding: manifest-variable-left
