# RayClusters of fleet {{FLEET}}.
#
# Before it runs: rayVersion and images are to be filled in, and the namespaces and queues have to be there. Ray's own
# placement groups reserve within the cluster; that its pods come up whole is the gang's business.
{{#JOB}}{{@pod-group.tpl}}
---
apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: {{NAME}}
  {{@object-metadata.tpl}}
{{#YUNIKORN_OBJECT}}  labels:
    # Its presence makes the operator write the task groups.
    ray.io/gang-scheduling-enabled: "true"
    yunikorn.apache.org/app-id: {{APPLICATION}}
    yunikorn.apache.org/queue: {{YUNIKORN_QUEUE}}
{{/YUNIKORN_OBJECT}}spec:
  rayVersion: replace-me
  # Workers that come one by one are no gang: two clusters can each hold part of the GPUs and wait for ever.
  enableInTreeAutoscaling: false
  headGroupSpec:
    rayStartParams:
      # No work on the head: it has no GPU, and everything ends with it.
      num-cpus: "0"
    template:
      {{@pod-metadata.tpl}}
      spec:
        {{@scheduler.tpl}}
        containers:
          - name: ray-head
            image: registry.example.com/{{WORD}}:replace-me
            {{@helper.tpl}}
  workerGroupSpecs:
    - groupName: gpu
      # One pod a node, and never fewer.
      replicas: {{NODES}}
      minReplicas: {{NODES}}
      maxReplicas: {{NODES}}
      numOfHosts: 1
      rayStartParams: {}
      template:
        {{@pod-metadata.tpl}}
        spec:
          {{@scheduler.tpl}}
          containers:
            - name: ray-worker
              image: registry.example.com/{{WORD}}:replace-me
              {{@container.tpl}}
          {{@pod.tpl}}
{{/JOB}}
