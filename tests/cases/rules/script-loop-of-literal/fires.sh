#!/bin/bash
NODES=(node1 node2)
for IP in "\${NODES[@]}"; do   # finding: script-loop-of-literal
  scp /etc/slurm/slurm.conf root@$IP:/etc/slurm/
done
