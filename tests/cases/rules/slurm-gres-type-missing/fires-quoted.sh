#!/bin/bash
sudo bash -c "cat > /etc/slurm/slurm.conf <<EOF
ClusterName=lab
SlurmctldHost=ctl
SelectType=select/cons_tres
TaskPlugin=task/cgroup
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
NodeName=n1 CPUs=4 RealMemory=1000 Gres=gpu:1   # finding: slurm-gres-type-missing
PartitionName=p Nodes=ALL Default=YES MaxTime=1-0
EOF"
