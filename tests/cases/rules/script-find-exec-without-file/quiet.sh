#!/bin/bash
DIR="${1:-inputs}"
find "$DIR" -type f -exec predict {} --out "$DIR" \;
find "$DIR" -type f -exec sh -c 'predict "$1"' _ {} \;
find "$DIR" -name done -exec false \;
find "$DIR" -type d -exec chmod 755 {} +
find "$DIR" -type f -exec cp "{}" out \;
