#!/bin/bash
DIR="${1:-inputs}"
# finding: script-find-exec-without-file
find "$DIR" -type f -exec predict "$DIR" --out ../out \;
# finding: script-find-exec-without-file
find logs -name '*.out' -exec rm -f \;
