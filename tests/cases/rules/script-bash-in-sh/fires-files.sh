#!/bin/sh
while read -r NODE; do
  echo "$NODE"
done < <(sinfo -h -o %N)   # finding: script-bash-in-sh
