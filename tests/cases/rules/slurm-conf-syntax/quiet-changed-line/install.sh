#!/bin/bash
cp slurm.conf /etc/slurm/slurm.conf
sed -i "/NodeName=c031 Gres=gpu:4 CPUs=28 RealMemory=200000/c\#NodeName=c031" /etc/slurm/slurm.conf
sed -i "/PartitionName=compute/d" /etc/slurm/slurm.conf
