#!/bin/bash
set -e
DIR=/etc/slurm
SLURM_CONF="${DIR}/slurm.conf"
sudo tee "${SLURM_CONF}" > /dev/null <<EOF
ClusterName=lab
SlurmctldHost=$(hostname -s)
ProctrackType=proctrack/pgid
TaskPlugin=task/cgroup,task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=2000
NodeName=n[1-4] CPUs=16 RealMemory=64000
NodeName=big CPUs=64 RealMemory=512000
PartitionName=all Nodes=n[1-4],big Default=YES MaxTime=1-0
EOF
systemctl restart slurmctld
