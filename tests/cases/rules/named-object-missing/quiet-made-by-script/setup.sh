#!/bin/bash
kubectl apply -f - <<EOF
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {MODEL: a}
---
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: train
          image: "registry.example/train:1"
          envFrom:
            - configMapRef: {name: nccl-env}
EOF
kubectl create configmap nccl-env --from-env-file=nccl.env
