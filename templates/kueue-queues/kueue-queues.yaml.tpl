# Kueue queues for the tenants of fleet {{FLEET}}, all in one Cohort: what one leaves idle another borrows.
#
# Before they count: the Topology (template kueue-topology), the labels of the nodes (template node-labels), and a
# namespace for each tenant. Only {{RESOURCE_WORD}} has a quota: exclude cpu, memory and other resources that pods ask for
# in Kueue's Configuration (resources.excludeResourcePrefixes), or list them here, or Kueue before 0.19 admits none of
# those pods.
{{#FLAVOR}}---
# Pool {{POOL}}.
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: {{FLAVOR_NAME}}
spec:
  # Kueue puts it on the pods that it admits with this flavor.
  nodeLabels:
    {{LABEL}}: {{VALUE}}
  tolerations:
    - {key: {{TOLERATED}}, operator: Exists, effect: NoSchedule}
  # A gang is admitted only when each of its pods has a place.
  topologyName: {{TOPOLOGY}}
{{/FLAVOR}}---
# What nobody was promised: everybody may borrow it.
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: {{TOP}}
spec:
  resourceGroups:
    - coveredResources: [{{RESOURCE}}]
      flavors:
{{#CAPACITY}}        - name: {{TOP_FLAVOR}}
          resources:
            - name: {{TOP_RESOURCE}}
              nominalQuota: {{SPARE}}
{{/CAPACITY}}{{#COHORT}}---
# Tenant {{COHORT_TENANT}}, who has others below.
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: {{COHORT_NAME}}
spec:
  parentName: {{COHORT_PARENT}}
  resourceGroups:
    - coveredResources: [{{COHORT_RESOURCE}}]
      flavors:
{{#COHORT_FLAVOR}}        - name: {{COHORT_FLAVOR_NAME}}
          resources:
            - name: {{COHORT_QUOTA_RESOURCE}}
              # Its guaranteed_gpus without those of the tenants below, whose quotas are added to it.
              nominalQuota: {{COHORT_QUOTA}}
{{#COHORT_LIMIT}}              # Up to its limit_gpus.
              borrowingLimit: {{COHORT_BORROW}}
{{/COHORT_LIMIT}}{{/COHORT_FLAVOR}}{{/COHORT}}{{#QUEUE}}---
# Tenant {{TENANT}}.
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: {{NAME}}
spec:
  cohortName: {{COHORT_OF}}
  # Left out it would select no namespace at all.
  namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{NAMESPACE}}
  queueingStrategy: BestEffortFIFO
  resourceGroups:
    - coveredResources: [{{COVERED}}]
      flavors:
{{#QUOTA}}        - name: {{QUOTA_FLAVOR}}
          resources:
            - name: {{QUOTA_RESOURCE}}
              # Its guaranteed_gpus.
              nominalQuota: {{NOMINAL}}
{{#LIMIT}}              # Up to its limit_gpus.
              borrowingLimit: {{BORROW}}
{{/LIMIT}}{{/QUOTA}}  preemption:
    # What others borrowed of its guaranteed_gpus it gets back; Kueue evicts whole workloads, never single pods.
    reclaimWithinCohort: Any
    withinClusterQueue: LowerPriority
---
# The name that the jobs of the tenant give in the label kueue.x-k8s.io/queue-name.
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: {{LOCAL_NAME}}
  namespace: {{NAMESPACE}}
spec:
  clusterQueue: {{CLUSTER_QUEUE}}
{{/QUEUE}}
