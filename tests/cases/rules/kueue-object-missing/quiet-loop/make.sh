#!/bin/bash
set -euo pipefail
for t in a b c; do
  cat <<EOF | kubectl apply -f -
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: team-$t
  namespace: research
spec: {clusterQueue: research}
EOF
done
