#!/bin/bash
# HealthCheckProgram of fleet {{FLEET}}: slurmd runs it as root every HealthCheckInterval, and ends it after 60 s; it
# bounds itself to less. What it finds drains the node: running jobs go on, new ones stay away, and somebody looks. It
# never resets, reboots or power-cycles anything, for a job may be running, and never resumes a node.
set -u
export LC_ALL=C
deadline=$((SECONDS + 40))
node=${SLURMD_NODENAME:-$(hostname -s)}

{{@bounded.tpl}}

drain() {
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

devices=$(answer nvidia-smi -L) || drain "nvidia-smi fails or hangs"
seen=$(grep -c '^GPU ' <<<"$devices")
((seen >= gpus)) || drain "$seen of $gpus GPUs answer"

# Memory whose broken rows could not be replaced, or are replaced at the next reset. GPUs that cannot do so say [N/A].
rows=$(answer nvidia-smi --query-remapped-rows=remapped_rows.failure,remapped_rows.pending --format=csv,noheader)
if grep -Eq '(^|, *)(1|Yes)( *,|$)' <<<"$rows"; then
  drain "a GPU has failed or pending row remaps"
fi

# A rail that is down slows down every job across it, and no job says so.
if ((ports > 0)); then
  active=$(answer grep -l ACTIVE /sys/class/infiniband/*/ports/*/state | wc -l)
  ((active >= ports)) || drain "$active of $ports network ports are active"
fi
exit 0
