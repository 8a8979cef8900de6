#!/bin/sh
kubectl delete --ignore-not-found -f account.yaml role.yaml
