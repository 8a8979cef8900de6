#!/bin/bash
helm_exists() {
  command -v helm >/dev/null
}
function ready { kubectl get nodes; }
if [[ helm_exists ]]; then   # finding: script-test-of-name
  exit 0
fi
if [ ! ready ]; then exit 1; fi   # finding: script-test-of-name
