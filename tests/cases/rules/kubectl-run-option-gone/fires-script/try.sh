#!/bin/bash
set -e
# finding: kubectl-run-option-gone
kubectl -n gpu run web --image=registry.example/web:1.0 --replicas=2
