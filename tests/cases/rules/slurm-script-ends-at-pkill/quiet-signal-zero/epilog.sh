#!/bin/bash
set -e
pkill -x worker || true
sleep 5
if pkill -0 -x worker; then
  pkill -9 -x worker
fi
exit 0
