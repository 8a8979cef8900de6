#!/bin/bash
helm upgrade --install gpu-operator nvidia/gpu-operator --version v25.3.0 \
  -set devicePlugin.config.name=time-slicing   # finding: helm-option-with-one-dash
