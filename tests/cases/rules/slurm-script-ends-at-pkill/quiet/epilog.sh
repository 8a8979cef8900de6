#!/bin/bash
set -e
if pkill jupyter-lab; then logger ended; fi
pkill -f mps \
  || true
! pkill dask
pkill ray && sleep 2
command -v killall
clean() {
  pkill tensorboard
}
clean || true
