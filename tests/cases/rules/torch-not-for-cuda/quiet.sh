#!/bin/bash
set -e
pip install torch==2.4.1 --index-url https://download.pytorch.org/whl/cu124
pip install torch==2.2.0 --extra-index-url https://download.pytorch.org/whl/cu124
pip install torch==2.9.0 --index-url https://download.pytorch.org/whl/cu130
pip install torch==$RELEASE --index-url https://download.pytorch.org/whl/cu124
pip install torch==2.2.0 --index-url https://download.pytorch.org/whl/cpu
# pip install torch==2.2.0 --index-url https://download.pytorch.org/whl/cu124
