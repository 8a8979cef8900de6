#!/bin/bash
set -e
if pgrep -x worker > /dev/null; then
  pkill -x worker
  sleep 2
  if pgrep -x worker > /dev/null; then
    pkill -9 -x worker
  fi
fi
