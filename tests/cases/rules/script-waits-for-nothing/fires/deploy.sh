#!/bin/bash
set -e
kubectl apply -f serve.yaml
kubectl rollout status deploy/chat-real -n ml --timeout=600s  # finding: script-waits-for-nothing
