#!/bin/bash
kubectl port-forward deploy/serve 8000:8000 &
kubectl logs serve-decode-small
kubectl exec serve-0 -- nvidia-smi
