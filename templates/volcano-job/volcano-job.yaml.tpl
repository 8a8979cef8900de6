# Volcano objects for the tightly coupled workloads of fleet {{FLEET}}.
#
# Before it runs: the images and commands are to be filled in, the Queues have to be there (template volcano-queues), and
# Volcano's scheduler needs the plugin `gang`, else minAvailable means nothing (template volcano-scheduler-config).
---
# Training waits behind nothing of its own kind and below services: leave room above 1000 for them.
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: gpu-training
value: 1000
globalDefault: false
description: batch training on GPUs
{{#JOB}}---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: {{NAME}}
  annotations:
    muster.dev/workload: {{WORKLOAD}}
spec:
  # Every pod goes through Volcano; one that did not would be placed alone.
  schedulerName: volcano
  queue: {{QUEUE}}
  priorityClassName: gpu-training
  # All pods or none: a collective works only with every member. Fewer would hold GPUs and wait for the rest.
  minAvailable: {{NODES}}
  # Restarts before the job counts as failed; each eviction takes one.
  maxRetry: 3
  plugins:
    svc: []
    env: []
  # A collective does not survive the loss of a member: start again whole, from the last checkpoint.
  policies:
    - event: PodEvicted
      action: RestartJob
    - event: PodFailed
      action: RestartJob
    - event: TaskCompleted
      action: CompleteJob
  tasks:
    # One pod a node.
    - name: worker
      replicas: {{NODES}}
      minAvailable: {{NODES}}
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: train
              image: registry.example.com/{{WORD}}:replace-me
              command:
                - /bin/sh
                - -c
                # The svc plugin gives each pod a name below the job's service, the env plugin its index.
                - >-
                  torchrun --nnodes={{NODES_WORD}} --nproc_per_node={{GPUS_WORD}} --node_rank=$VC_TASK_INDEX
                  --master_addr={{WORD}}-worker-0.{{WORD}} --master_port=29500 train.py
              {{@container.tpl}}
          {{@pod.tpl}}
{{/JOB}}