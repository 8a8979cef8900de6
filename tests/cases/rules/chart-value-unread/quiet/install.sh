#!/bin/bash
set -e
helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter --version 1.6.0 -f karpenter.yaml
helm install x example/other -f other.yaml
helm install y example/karpenter --version 1.6.0 -f both.yaml
helm install z example/other -f both.yaml
helm install k oci://public.ecr.aws/karpenter/karpenter --version 1.6.0 -f secret.yaml
helm install l ./own/charts/karpenter -f other2.yaml
