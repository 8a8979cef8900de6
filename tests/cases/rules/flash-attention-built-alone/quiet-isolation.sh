#!/bin/bash
set -e
pip install torch==2.6.0
pip install --no-build-isolation flash-attn==2.7.4
