#!/bin/bash
set -e
python train.py
CODE=$?
echo "ended with $CODE"
exit $CODE
