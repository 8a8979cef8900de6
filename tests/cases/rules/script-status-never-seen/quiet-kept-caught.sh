#!/bin/bash
set -e
python eval.py || true
SEEN=$?
if [ "$SEEN" -ne 0 ]; then
  echo "$SEEN"
fi
