#!/bin/bash
set -e
shopt -s nullglob
A=$(ls *.pt)
if [ -z "$A" ]; then
  echo "from the beginning"
fi
