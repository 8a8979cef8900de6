#!/bin/bash
set -euo pipefail
A=$(echo "$SAID" | grep -E '^OUTPUT=' | sed 's/^OUTPUT=//')
if [ -z "$A" ]; then exit 1; fi
B=$(ls -A results/*)
if [ -z "$B" ]; then exit 1; fi
C=$(echo "$SAID" | grep -o '[0-9]*' | head -1)
if [ -z "$C" ]; then exit 1; fi
