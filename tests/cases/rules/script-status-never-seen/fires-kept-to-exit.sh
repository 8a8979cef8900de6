#!/bin/bash
set -e
python train.py
CODE=$?   # finding: script-status-never-seen
aws s3 sync out s3://bucket/out
exit $CODE
