#!/bin/sh
set -e
docker run --rm --gpus all nvidia/cuda:11.0-base nvidia-smi  # finding: cuda-image-tag-gone
