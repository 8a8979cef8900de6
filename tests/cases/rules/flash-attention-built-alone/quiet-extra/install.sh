#!/bin/bash
set -e
uv pip install flash-attn
