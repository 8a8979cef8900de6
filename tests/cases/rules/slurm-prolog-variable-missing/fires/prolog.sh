#!/bin/bash
main() {
  local job="${SLURM_JOB_ID:-unknown}"
  local cpus="${SLURM_CPUS_ON_NODE:-1}"   # finding: slurm-prolog-variable-missing
  /usr/local/sbin/note-job "$job" "$cpus"
}
main
exit 0
