#!/bin/sh
# Writes down what Helm 3.19 makes of the charts in tests/helm/charts, each in NAME.yaml beside it. Needs `helm` in PATH.
set -eu
cd "$(dirname "$0")/../tests/helm/charts"
for chart in */; do
  helm template release-name "$chart" --kube-version 1.34 >"${chart%/}.yaml"
done
