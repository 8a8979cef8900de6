#!/bin/sh
kubectl create configmap training-script --from-file=train.py
kubectl apply -f job.yaml
