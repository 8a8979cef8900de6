#!/usr/bin/env bash
if [ -n "$SLURM" ]; then
  if [ ! -f slurm.tar ]; then   # finding: script-block-unclosed
    curl -fO https://example.com/slurm.tar
  tar xf slurm.tar
fi
make install
