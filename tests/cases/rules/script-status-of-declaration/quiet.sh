#!/bin/bash
submit() {
  local job
  job=$(sbatch --parsable "$1")
  if [[ $? -ne 0 ]]; then
    echo "not submitted" >&2
    return 1
  fi
  local host=$(hostname)
  scontrol ping
  if [ $? -ne 0 ]; then return 1; fi
  local code=$? name="$1"
  echo "$host $job $code $name"
}
submit train.sh
