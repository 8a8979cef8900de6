{{#VOLCANO_PODS}}metadata:
  annotations:
    # The PodGroup above; without it Volcano makes one that asks for a single pod.
    scheduling.k8s.io/group-name: {{NAME}}
{{/VOLCANO_PODS}}{{#COSCHEDULING_PODS}}metadata:
  labels:
    # The PodGroup above.
    scheduling.x-k8s.io/pod-group: {{NAME}}
{{/COSCHEDULING_PODS}}{{#KAI_PODS}}metadata:
  annotations:
    # The PodGroup above, and none made beside it.
    pod-group-name: {{NAME}}
    kai.scheduler/skip-podgrouper: "true"
{{/KAI_PODS}}
