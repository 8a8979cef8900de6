#!/bin/bash
set -e
kubectl run smi --rm -i --restart=Never --image=registry.example/smi:1.0 -- smi --limits=1
kubectl scale deployment web --replicas=2
kubectl set resources deployment web --limits=cpu=1
