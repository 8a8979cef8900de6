# Takes nodes of fleet {{FLEET}} out of service whose condition GpuUnhealthy holds (node-problem-detector.yaml).
#
# It is bounded in number and in time: never more than planes.fleet.most_drained nodes, a condition of five minutes, one
# run at a time of ten minutes at most. It cordons{{#EVICT}} and evicts{{/EVICT}}, and does nothing else: it never deletes a pod by force, never
# reboots or power-cycles a node, and never takes one back into service. That somebody does who has looked at it:
#
#   kubectl label node NODE muster.dev/out-of-service- && kubectl annotate node NODE muster.dev/out-since- && \
#     kubectl uncordon NODE
#
# Before it runs: an image with sh and kubectl is to be filled in.
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
    nodes=$(kubectl get nodes --request-timeout=30s -o jsonpath='{range .items[*]}{.metadata.name}|{.metadata.labels.muster\.dev/out-of-service}|{.metadata.annotations.muster\.dev/gpu-unhealthy-since}|{.metadata.annotations.muster\.dev/out-since}|{.status.conditions[?(@.type=="GpuUnhealthy")].status}{"\n"}{end}')
    taken=$(printf '%s\n' "$nodes" | grep -c '^[^|]*|gpu|' || true)
    printf '%s\n' "$nodes" | while IFS='|' read -r node label since out sick; do
      if [ "$sick" != True ]; then
        # Well again before anything was done: forgotten. What was taken out stays out until somebody has looked.
        if [ -n "$since" ] && [ -z "$label" ]; then
          kubectl annotate node "$node" muster.dev/gpu-unhealthy-since- </dev/null
        fi
        continue
      fi
      if [ -z "$since" ]; then
        kubectl annotate node "$node" muster.dev/gpu-unhealthy-since="$now" </dev/null
        continue
      fi
      # A driver that is being loaded is no broken GPU.
      [ $((now - since)) -ge 300 ] || continue
      if [ -z "$label" ]; then
        if [ "$taken" -ge "$most" ]; then
          echo "$node stays in service: $taken nodes are out, and planes.fleet.most_drained is $most"
          continue
        fi
        kubectl cordon "$node" </dev/null
        kubectl label node "$node" muster.dev/out-of-service=gpu </dev/null
        kubectl annotate node "$node" muster.dev/out-since="$now" </dev/null
        taken=$((taken + 1))
        continue
      fi
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
