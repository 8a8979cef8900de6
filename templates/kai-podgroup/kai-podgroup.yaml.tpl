# Gangs of fleet {{FLEET}} for KAI.
#
# Before it runs: images and commands are to be filled in, the namespaces made, and the Queues have to be there (template
# kai-queues). KAI's pod-grouper would make a PodGroup that asks for a single pod of a Job, so each brings its own.
{{#JOB}}---
apiVersion: scheduling.run.ai/v2alpha2
kind: PodGroup
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  queue: {{QUEUE}}
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minMember: {{MEMBERS}}
  # Below 100: it may be preempted, as a whole.
  priorityClassName: train
{{#CLOSE}}  # As close together as there is room, and never refused for it.
  topologyConstraint:
    topology: {{CLOSE_TOPOLOGY}}
    preferredTopologyLevel: {{CLOSE_LEVEL}}
{{/CLOSE}}{{@service.tpl}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
  labels:
    kai.scheduler/queue: {{QUEUE}}
  annotations:
    muster.dev/workload: {{WORKLOAD}}
spec:
  {{@job-spec.tpl}}
  template:
    metadata:
      annotations:
        # The PodGroup above, and none made beside it.
        pod-group-name: {{NAME}}
        kai.scheduler/skip-podgrouper: "true"
    spec:
      # The Service above.
      subdomain: {{NAME}}
      {{@scheduler.tpl}}
      restartPolicy: Never
      containers:
        {{@torchrun.tpl}}
          {{@container.tpl}}
      {{@pod.tpl}}
{{/JOB}}
