#!/bin/bash
helm upgrade -i gpu-operator nvidia/gpu-operator --version v25.3.0 -n gpu-operator -f values.yaml \
  --set devicePlugin.config.name=time-slicing
