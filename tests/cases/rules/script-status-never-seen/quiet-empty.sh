#!/bin/bash
set -e
A=$(ls out/*.ckpt 2>/dev/null || true)
if [ -z "$A" ]; then exit 1; fi
B=$(ls out/*.ckpt 2>/dev/null | tail -n 1)
if [ -z "$B" ]; then exit 1; fi
C=$(find out -name '*.ckpt')
if [ -z "$C" ]; then exit 1; fi
D=$(ls out)
if [ -z "$D" ]; then exit 1; fi
if E=$(grep x file); then echo "$E"; fi
F=$(grep x file) || F=
if [ -z "$F" ]; then exit 1; fi
G=$(cat file)
if [ -z "$G" ]; then exit 1; fi
