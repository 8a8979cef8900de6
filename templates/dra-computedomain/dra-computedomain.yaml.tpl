# Gangs of fleet {{FLEET}} within one NVLink domain.
#
# Before it runs: images and commands are to be filled in, the namespaces and queues made, and NVIDIA's DRA driver has to
# be there for ComputeDomains, with GPU driver 570.158.01 or newer, nvidia-imex.service masked on the hosts and the label
# nvidia.com/gpu.clique on the nodes. The GPUs themselves come from the device plugin. The Jobs are those that other
# templates write: apply one of the two.
{{#JOB}}---
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  # Nodes join as pods come; a number would say nothing but when the status is Ready, and is deprecated.
  numNodes: 0
  channel:
    resourceClaimTemplate:
      # The driver makes it, with a channel for each pod that lists it.
      name: {{CLAIM_NAME}}
{{@claim-group.tpl}}
{{@service.tpl}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{NAME}}
  {{@claim-object-metadata.tpl}}
spec:
  {{@job-spec.tpl}}
  template:
    {{@claim-pod-metadata.tpl}}
    spec:
      # The Service above.
      subdomain: {{NAME}}
      {{@scheduler.tpl}}
      restartPolicy: Never
      # One NVLink domain for all of them: over its border there is no shared memory, and NCCL goes over the network.
      affinity:
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: nvidia.com/gpu.clique
              labelSelector:
                matchLabels:
                  job-name: {{NAME}}
      containers:
        {{@torchrun.tpl}}
          resources:
            claims:
              - name: channel
            # Under requests, too: Volcano counts those.
            requests:
              {{RESOURCE}}: {{GPUS}}
            limits:
              {{RESOURCE}}: {{GPUS}}
          # NCCL and data loaders share memory here; a pod has 64 MiB of it unless something is mounted.
          volumeMounts:
            - name: shared-memory
              mountPath: /dev/shm
      resourceClaims:
        - name: channel
          resourceClaimTemplateName: {{CLAIM_NAME}}
      {{@pod.tpl}}
{{/JOB}}
