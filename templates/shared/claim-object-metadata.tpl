namespace: {{NAMESPACE}}
{{#KAI_OBJECT}}labels:
  kai.scheduler/queue: {{KAI_QUEUE}}
{{/KAI_OBJECT}}{{#KUEUE_OBJECT}}labels:
  # On the object itself, never on its pods: those would be admitted one by one.
  kueue.x-k8s.io/queue-name: {{KUEUE_QUEUE}}
{{/KUEUE_OBJECT}}annotations:
  muster.dev/workload: {{WORKLOAD}}
