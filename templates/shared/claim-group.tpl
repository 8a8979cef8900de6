{{#VOLCANO_GROUP}}---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{MEMBERS}}
  queue: {{VOLCANO_QUEUE}}
{{/VOLCANO_GROUP}}{{#COSCHEDULING_GROUP}}---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{MEMBERS}}
  # How long pods may hold their places while others of the gang find theirs.
  scheduleTimeoutSeconds: 300
{{/COSCHEDULING_GROUP}}{{#KAI_GROUP}}---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  queue: {{KAI_QUEUE}}
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{MEMBERS}}
  # Below 100: it may be preempted, as a whole.
  priorityClassName: train
{{/KAI_GROUP}}
