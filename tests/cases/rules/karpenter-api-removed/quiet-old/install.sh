#!/bin/sh
helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter --version 0.34.0 --namespace kube-system
