#!/bin/bash
set -e
kubectl -n llm wait --for=condition=complete --timeout=60s job/smoke
kubectl -n llm wait --for=condition=available --timeout=20m deployment/llm
