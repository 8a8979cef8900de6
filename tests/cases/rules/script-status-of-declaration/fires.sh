#!/bin/bash
submit() {
  local job=$(sbatch --parsable "$1")

  if [[ $? -ne 0 ]]; then   # finding: script-status-of-declaration
    echo "not submitted" >&2
    return 1
  fi
  echo "$job"
}
export NODES=$(sinfo -h -N -o %N | sort -u)
status=$?   # finding: script-status-of-declaration
submit train.sh || exit $status
