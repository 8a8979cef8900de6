#!/bin/bash
helm upgrade --install -n monitoring prometheus \
  prometheus-community/kube-prometheus-stack --version 79.1.0 -f values.yaml
