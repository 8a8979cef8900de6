#!/bin/bash
while read -r line; do
  if [[ "$line" =~ ^[[:space:]]*(#|$) ]]; then continue; fi
  while [[ -n "$line" ]]; do line=${line#?}; done
done < "$1"
KV=${KV:-'{"kv_connector": "x"}'}
EMPTY=${EMPTY:-"{}"}
LAST=${2%"}"}
time -p { sleep 1; }
coproc SRV { while read -r x; do echo "$x"; done; }
if true; then echo "$KV $EMPTY $LAST"; fi
