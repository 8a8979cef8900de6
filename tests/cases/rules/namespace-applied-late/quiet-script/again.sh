#!/usr/bin/env bash
./deploy.sh
kubectl apply -f munge-secret.yaml
kubectl create namespace hpc || true
