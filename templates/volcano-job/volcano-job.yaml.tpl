# Volcano objects for the tightly coupled workloads of fleet {{FLEET}}.
#
# Before it runs: the images and commands are to be filled in, and Volcano's scheduler needs the plugins `gang` (else
# minAvailable means nothing) and `capacity` (else `deserved` means nothing).
---
# Training waits behind nothing of its own kind and below services: leave room above 1000 for them.
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: gpu-training
value: 1000
globalDefault: false
description: batch training on GPUs
{{#QUEUE}}---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: {{TENANT}}
spec:
  weight: 1
  # Others may use what this tenant leaves idle; it gets its share back by reclaim.
  reclaimable: true
  # The tenant's limit_gpus: no job of it above this is ever admitted.
  capability:
    nvidia.com/gpu: {{LIMIT}}
  # The tenant's guaranteed_gpus: what reclaim restores.
  deserved:
    nvidia.com/gpu: {{GUARANTEED}}
{{/QUEUE}}{{#JOB}}---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: {{NAME}}
  annotations:
    muster.dev/workload: {{NAME}}
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
              resources:
                # Whole nodes: pods of one size that fill a node leave no fragments behind.
                limits:
                  nvidia.com/gpu: {{GPUS}}
              # NCCL and data loaders share memory here; a pod has 64 MiB of it unless something is mounted.
              volumeMounts:
                - name: shared-memory
                  mountPath: /dev/shm
          volumes:
            - name: shared-memory
              emptyDir:
                medium: Memory
{{/JOB}}