#!/bin/bash
kubectl port-forward serve-6c9d7f8b5-x2x4z 8000:8000 &  # finding: script-names-one-pod
curl localhost:8000/v1/models
