#!/bin/bash
set -e
kubectl delete -f serve.yaml --ignore-not-found
kubectl apply -f serve.yaml
kubectl logs -f job/warm-up -n ml
kubectl rollout status deploy/chat-real -n ml  # finding: script-waits-for-nothing
