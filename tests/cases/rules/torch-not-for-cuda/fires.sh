#!/bin/bash
set -e
# finding: torch-not-for-cuda
pip install torch==2.2.0 torchvision --index-url https://download.pytorch.org/whl/cu124
# finding: torch-not-for-cuda
pip install "torch==2.8.0+cu121"
