# Configuration of Volcano's scheduler for fleet {{FLEET}}. It replaces the whole file that the chart ships; the scheduler
# reads a change by itself.
apiVersion: v1
kind: ConfigMap
metadata:
  name: volcano-scheduler-configmap
  namespace: volcano-system
data:
  volcano-scheduler.conf: |
    # Neither preempt nor reclaim: both take single pods out of a running gang, and the rest of it holds its GPUs for
    # nothing. A tenant that lent its share gets it back as jobs end.
    actions: "enqueue, allocate, backfill"
    tiers:
    - plugins:
      - name: priority
      # Without it minAvailable means nothing.
      - name: gang
        enablePreemptable: false
      - name: conformance
    - plugins:
      - name: overcommit
      - name: drf
        enablePreemptable: false
      - name: predicates
{{#TENANTS}}      # Instead of proportion: only it knows `deserved` and parents of Queues.
      - name: capacity
{{#TREE}}        enableHierarchy: true
{{/TREE}}{{/TENANTS}}{{#NO_TENANTS}}      - name: proportion
{{/NO_TENANTS}}      - name: nodeorder
      # Fills nodes up, so that whole nodes stay free for gangs.
      - name: binpack
        arguments:
          binpack.weight: 10
          binpack.resources: {{RESOURCE}}
          binpack.resources.{{RESOURCE}}: 8
{{#TOPOLOGY}}      # Without it networkTopology of a job is not enforced.
      - name: network-topology-aware
{{/TOPOLOGY}}
