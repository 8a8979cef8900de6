{{#VOLCANO_GROUP_OBJECT}}---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{GROUP_SIZE}}
  queue: {{VOLCANO_QUEUE}}
  minResources:
    {{RESOURCE}}: {{GROUP_GPUS}}
{{/VOLCANO_GROUP_OBJECT}}{{#COSCHEDULING_GROUP_OBJECT}}---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{GROUP_SIZE}}
  minResources:
    {{RESOURCE}}: {{GROUP_GPUS}}
  # How long pods may hold their places while others of the gang find theirs.
  scheduleTimeoutSeconds: 300
{{/COSCHEDULING_GROUP_OBJECT}}
