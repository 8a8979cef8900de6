#!/bin/bash
ROOT=$(dirname $(dirname $0))
kubectl apply -f $ROOT/map.yaml
