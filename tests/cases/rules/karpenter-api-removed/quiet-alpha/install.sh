#!/bin/sh
helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter --version 0.32.1 --namespace karpenter
