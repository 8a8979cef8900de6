#!/bin/bash
while [ $# -gt 0 ]; do
  case $1 in
    --nodes) nodes=$2 ;;
    --port) port=$2 ;;
  esac
  shift 2
done
torchrun \
  --nnodes "$nodes" \
  --master-port "$port" finetune.py
