#!/bin/bash
hf download org/model --local-dir . --include "*.py"
python modeling_large.py
