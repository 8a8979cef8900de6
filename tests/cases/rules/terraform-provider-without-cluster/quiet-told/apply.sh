#!/bin/sh
set -e
export KUBE_CONFIG_PATH=kubeconfig.yaml
terraform apply
