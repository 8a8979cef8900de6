#!/bin/bash
accelerate launch \
  --num_processes=4 \ # all of the node   # finding: sbatch-continuation-with-blank
  --mixed_precision=bf16 train.py
