#!/bin/bash
set -e
helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter --version 1.6.0 -f karpenter.yaml
