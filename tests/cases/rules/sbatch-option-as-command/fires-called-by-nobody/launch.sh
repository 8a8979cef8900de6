#!/bin/bash
accelerate launch \
  --num_processes 16 \
  # of all nodes
  --main_process_port 29500 \
  finetune.py
