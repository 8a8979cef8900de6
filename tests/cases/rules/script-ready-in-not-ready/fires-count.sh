#!/bin/bash
set -e
# finding: script-ready-in-not-ready
n=$(kubectl get nodes --no-headers | grep -c Ready)
[ "$n" -ge 4 ]
