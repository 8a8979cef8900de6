# Takes nodes of fleet {{FLEET}} out of service whose condition GpuUnhealthy holds (node-problem-detector.yaml).
#
# It is bounded in number and in time: never more than planes.fleet.most_drained nodes, a condition of five minutes, one
# run at a time of ten minutes at most. It cordons{{#EVICT}} and evicts{{/EVICT}}, and does nothing else: it never deletes a pod by force, never
# reboots or power-cycles a node, and never takes one back into service. That somebody does who has looked at it:
#
#   kubectl label node NODE muster.dev/out-of-service- && kubectl annotate node NODE muster.dev/out-since- && \
#     kubectl uncordon NODE
#
# Before it runs: an image with kubectl, sh, date, grep and tr is to be filled in.
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: gpu-drain
  namespace: gpu-health
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: gpu-drain
rules:
  - apiGroups: [""]
    resources: [nodes]
    verbs: [get, list, patch]
{{#EVICT}}  - apiGroups: [""]
    resources: [pods]
    verbs: [get, list]
  - apiGroups: [""]
    resources: [pods/eviction]
    verbs: [create]
  - apiGroups: [apps]
    resources: [daemonsets]
    verbs: [get]
{{/EVICT}}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gpu-drain
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: gpu-drain
subjects:
  - kind: ServiceAccount
    name: gpu-drain
    namespace: gpu-health
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: gpu-drain
  namespace: gpu-health
data:
  drain.sh: |
    #!/bin/sh
    set -eu
    now=$(date +%s)
    most={{MOST}}
    # The detector writes its condition every five minutes, changed or not: one that is older is nobody's word.
    fresh=$(date -u -d "@$((now - 900))" +%Y%m%d%H%M%S)
    nodes=$(kubectl get nodes --request-timeout=30s -o jsonpath='{range .items[*]}{.metadata.name}|{.metadata.labels.muster\.dev/out-of-service}|{.metadata.annotations.muster\.dev/gpu-unhealthy-since}|{.metadata.annotations.muster\.dev/out-since}|{.spec.unschedulable}|{.status.conditions[?(@.type=="GpuUnhealthy")].status}|{.status.conditions[?(@.type=="GpuUnhealthy")].lastHeartbeatTime}{"\n"}{end}')
    taken=$(printf '%s\n' "$nodes" | grep -c '^[^|]*|gpu|' || true)
    # What fails for one node is tried again in the next run, and keeps no other node waiting.
    try() {
      kubectl "$@" </dev/null || { echo "$node: $1 failed, and is tried again"; return 1; }
    }
    printf '%s\n' "$nodes" | while IFS='|' read -r node label since out closed sick beat; do
      if [ "$sick" != True ]; then
        # Well again before anything was done: forgotten. What was taken out stays out until somebody has looked.
        if [ -n "$since" ] && [ -z "$label" ]; then
          try annotate node "$node" muster.dev/gpu-unhealthy-since- || :
        fi
        continue
      fi
      beat=$(printf '%s' "$beat" | tr -cd 0-9)
      if [ "${beat:-0}" -lt "$fresh" ]; then
        echo "$node is left as it is: its detector has said nothing for 15 minutes"
        continue
      fi
      if [ -z "$since" ]; then
        try annotate node "$node" muster.dev/gpu-unhealthy-since="$now" || :
        continue
      fi
      # A driver that is being loaded is no broken GPU.
      [ $((now - since)) -ge 300 ] || continue
      if [ -z "$label" ]; then
        if [ "$taken" -ge "$most" ]; then
          echo "$node stays in service: $taken nodes are out, and planes.fleet.most_drained is $most"
          continue
        fi
        taken=$((taken + 1))
        # The label counts the node as taken, so it comes before anything is done; the time before the label, or nobody
        # would know when its time is over.
        try annotate node "$node" --overwrite muster.dev/out-since="$now" || continue
        try label node "$node" muster.dev/out-of-service=gpu || continue
      fi
      [ "$closed" = true ] || try cordon "$node" || continue
      [ -n "$label" ] || continue
{{#EVICT}}      # Pods have saved what they did by then: the longest checkpoint.interval_seconds, and the time to write one. A budget
      # that allows no disruption is respected, and the next run tries again.
      if [ -n "$out" ] && [ $((now - out)) -ge {{WAIT}} ]; then
        kubectl drain "$node" --ignore-daemonsets --delete-emptydir-data --timeout=120s </dev/null ||
          echo "$node has pods that could not be evicted yet"
      fi
{{/EVICT}}{{#CORDON_ONLY}}      # No pod is evicted: running work ends by itself.
      :
{{/CORDON_ONLY}}    done
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: gpu-drain
  namespace: gpu-health
spec:
  schedule: "* * * * *"
  # A run that takes longer than a minute is not joined by another.
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 60
  jobTemplate:
    spec:
      activeDeadlineSeconds: 600
      backoffLimit: 0
      ttlSecondsAfterFinished: 3600
      template:
        spec:
          serviceAccountName: gpu-drain
          restartPolicy: Never
          containers:
            - name: drain
              image: registry.example.com/kubectl:replace-me
              command: [/bin/sh, /gpu/drain.sh]
              resources:
                requests:
                  cpu: 20m
                  memory: 64Mi
                limits:
                  memory: 128Mi
              volumeMounts:
                - {name: script, mountPath: /gpu, readOnly: true}
          volumes:
            - name: script
              configMap:
                name: gpu-drain
