#!/bin/bash
PARENT=$(dirname "$PWD")
kubectl apply -f $PARENT/queue.yaml
