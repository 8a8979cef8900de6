#!/bin/bash
# HealthCheckProgram of fleet {{FLEET}}: slurmd runs it as root every HealthCheckInterval, and ends it after 60 s; it
# bounds itself to less. What it finds drains the node: running jobs go on, new ones stay away, and somebody looks. It
# never resets, reboots or power-cycles anything, for a job may be running, and never resumes a node.
set -u
export LC_ALL=C
deadline=$((SECONDS + 40))
node=${SLURMD_NODENAME:-$(hostname -s)}

{{@bounded.tpl}}

broken() {
  local state
  deadline=$((SECONDS + 10))
  state=$(answer scontrol -o show node "$node")
  # The reason that is there stays: it may be somebody's.
  [[ $state =~ \ State=[^\ ]*DRAIN ]] && exit 0
  logger -t slurm-health-check -- "$1"
  answer scontrol update NodeName="$node" State=DRAIN Reason="health-check: $1"
  exit 0
}

# Whether a node list names this node. scontrol expands it by itself, without slurmctld.
among() {
  answer scontrol show hostnames "$1" | grep -Fqx -- "$node"
}

# What the fleet file promises of it.
gpus=0
ports=0
{{#POOL}}if among {{NODES}}; then
  gpus={{GPUS}}
{{#RAILS}}  ports={{PORTS}}
{{/RAILS}}fi
{{/POOL}}
((gpus > 0)) || exit 0

smi=(nvidia-smi)
classes=/sys/class
{{@gpu-checks.tpl}}
exit 0
