#!/bin/bash
set -e
pip install https://example.org/flash_attn-2.7.4-cp312-cp312-linux_x86_64.whl
pip install torch && cd flash-attn && python setup.py install
