#!/bin/bash
set -e
if pgrep -x worker > /dev/null; then
  pkill -STOP -x worker
  pkill -9 -x worker
fi
