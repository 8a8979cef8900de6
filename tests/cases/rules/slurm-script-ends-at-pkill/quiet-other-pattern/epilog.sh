#!/bin/bash
set -e
if pgrep -x worker > /dev/null && pgrep -x helper > /dev/null; then
  pkill -x worker
  sleep 2
  pkill -9 -x helper
fi
