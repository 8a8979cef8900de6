#!/bin/bash
# Prolog of fleet {{FLEET}}: slurmd runs it as root on each node of a job, before the job starts there. When it fails
# slurmd drains the node and the job is queued again, so that a gang does not start with a GPU missing. It ends within
# 30 s and calls no command of Slurm, for each node of each job would load slurmctld with it. It never resets, reboots
# or power-cycles anything: that is for somebody who has looked.
set -u
export LC_ALL=C
deadline=$((SECONDS + 30))

{{@bounded.tpl}}

fail() {
  logger -t slurm-prolog -- "job ${SLURM_JOB_ID:-?}: $1"
  echo "prolog: $1" >&2
  exit 1
}

# Only what a job was given counts: without GPUs there is nothing to look at.
[[ -n ${SLURM_JOB_GPUS:-} ]] || exit 0
IFS=, read -ra given <<<"$SLURM_JOB_GPUS"

devices=$(answer nvidia-smi -L) || fail "nvidia-smi fails or hangs"
seen=$(grep -c 'UUID' <<<"$devices")
((seen >= ${#given[@]})) || fail "the job was given ${#given[@]} GPUs and $seen answer"
exit 0
