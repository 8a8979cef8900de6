#!/bin/bash
set -e
kubectl apply -f bench.yaml
kubectl -n llm wait --for=condition=complete --timeout=20m job/bench   # finding: script-wait-misses-failure
kubectl -n llm logs job/bench
