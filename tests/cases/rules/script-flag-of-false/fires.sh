#!/bin/bash
PUSH=${PUSH:-false}
VERBOSE="0"
if [ "$1" = loud ]; then
  VERBOSE=1
fi
python evaluate.py \
  --model base ${PUSH:+--push}   # finding: script-flag-of-false
python evaluate.py ${VERBOSE:+--verbose}   # finding: script-flag-of-false
