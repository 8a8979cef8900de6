#!/bin/sh
# What slurmd sees of the machine goes into slurm.conf before slurmctld starts.
MEM=$(slurmd -C | grep -o 'RealMemory=[0-9]*')
sed -i "s|^NodeName=gpu.*|NodeName=gpu[1-4] $MEM Gres=gpu:h100:8 State=UNKNOWN|" /etc/slurm/slurm.conf
exec slurmctld -D
