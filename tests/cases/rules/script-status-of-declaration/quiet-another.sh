#!/bin/bash
export NAME=$(hostname)
[ -d out ] || mkdir out; rc=$?
export FILE=$(basename "$URL")
if [ ! -f "$FILE" ]; then curl -fsSLo "$FILE" "$URL"; [ $? -eq 0 ] || exit 1; fi
