#!/bin/sh
kubectl label node gpu-1 nvidia.com/gpu.present=true
