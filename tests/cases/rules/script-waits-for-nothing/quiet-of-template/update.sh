#!/bin/bash
set -e
kubectl apply -f serve.yaml
sed "s/__MODEL__/$MODEL/" model.yaml.tpl | kubectl apply -f -
kubectl rollout status deployment/chat-real -n ml
