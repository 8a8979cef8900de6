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
{{/SCALED}}  # Workers are made together with their leader: a gang that waits for its leader to be ready never forms.
  startupPolicy: LeaderCreated
  leaderWorkerTemplate:
    # Pods of one replica, the leader among them; one a node.
    size: {{NODES}}
    # Half a group serves nothing.
    restartPolicy: RecreateGroupOnPodRestart
    workerTemplate:
      {{@pod-metadata.tpl}}
      spec:
        {{@scheduler.tpl}}
        containers:
          - name: server
            image: registry.example.com/{{WORD}}:replace-me
            # The controller sets these three in every pod.
            command:
              - /bin/sh
              - -c
              - exec ./serve --nodes=$LWS_GROUP_SIZE --rank=$LWS_WORKER_INDEX --leader=$LWS_LEADER_ADDRESS
            {{@container.tpl}}
        {{@pod.tpl}}
{{/SET}}{{/JOB}}
