#!/bin/bash
LIB=$(dirname $0)/lib
kubectl apply -f $LIB/other.yaml
