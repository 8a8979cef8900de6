#!/bin/sh
set -eu
helm install kueue oci://registry.k8s.io/kueue/charts/kueue --version=0.16.4 --namespace kueue-system
helm install gpu-operator nvidia/gpu-operator --version "$RELEASE"
helm install slurm-operator ./charts/slurm-operator
helm install lws /charts/lws-0.8.0.tgz
helm install volcano volcano-sh/volcano "$@"
helm install prometheus prometheus-community/prometheus
# helm install kueue oci://registry.k8s.io/kueue/charts/kueue
