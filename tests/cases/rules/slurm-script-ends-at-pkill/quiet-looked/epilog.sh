#!/bin/bash
set -e
if pgrep -x nv-hostengine > /dev/null; then
  pkill -x nv-hostengine
fi
