#!/bin/bash
set -e
pip install torch==2.6.0
pip install flash-attn==2.7.4 # finding: flash-attention-built-alone
