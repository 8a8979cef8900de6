# LeaderWorkerSets of fleet {{FLEET}}: servers that span several nodes.
#
# Before it runs: images and commands are to be filled in, and the namespaces and queues have to be there.
{{#JOB}}{{#SET}}{{@pod-group.tpl}}
---
{{#LEAST}}# One of several: each has a PodGroup, so that it starts when there is room for it.
{{/LEAST}}apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
spec:
{{#FIXED}}  replicas: {{REPLICAS}}
{{/FIXED}}{{#SCALED}}  # No `replicas`: its autoscaler sets them (template hpa or keda-scaledobject).
{{/SCALED}}
  {{@server-group.tpl}}
      {{@pod-metadata.tpl}}
      spec:
        {{@scheduler.tpl}}
        {{@server.tpl}}
        {{@pod.tpl}}
{{/SET}}{{/JOB}}
