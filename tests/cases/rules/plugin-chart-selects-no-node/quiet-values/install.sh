#!/bin/sh
helm upgrade --install plugin nvdp/nvidia-device-plugin --version 0.17.1 -f plugin-values.yaml
