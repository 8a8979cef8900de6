#!/usr/bin/env bash
set -euo pipefail
DIR="$(dirname "$0")"
sed "s|PUT_KEY_HERE|$(cat key.b64)|" \
  "$DIR/munge-secret.yaml" | kubectl apply -f -
kubectl create configmap settings -n tools --from-file=settings.ini
kubectl get namespace other || kubectl create namespace other
kubectl apply -f "$DIR/namespace.yaml"
kubectl create configmap more -n hpc --from-file=settings.ini
kubectl create namespace tools
