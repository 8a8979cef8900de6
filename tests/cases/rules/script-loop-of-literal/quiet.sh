#!/bin/bash
NODES=(node1 node2)
for IP in "${NODES[@]}"; do
  scp /etc/slurm/slurm.conf root@$IP:/etc/slurm/
done
cat > inner.sh <<EOF
for IP in "\${NODES[@]}"; do
  echo \$IP
done
EOF
