#!/bin/bash
set -e
# finding: script-ready-in-not-ready
until kubectl get nodes 2>/dev/null | grep -q "Ready"; do
  sleep 5
done
