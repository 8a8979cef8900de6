# Gangs of fleet {{FLEET}} that claim their GPUs by Dynamic Resource Allocation.
#
# Before it runs: images and commands are to be filled in, the namespaces and queues made, and NVIDIA's DRA driver has to
# be there with its DeviceClass gpu.nvidia.com. No device plugin may hand out GPUs of the same nodes. The Jobs are those
# that other templates write with `nvidia.com/gpu`: apply one of the two.
{{#JOB}}---
apiVersion: {{CLAIM_API}}
kind: ResourceClaimTemplate
metadata:
  name: {{CLAIM_NAME}}
  namespace: {{NAMESPACE}}
spec:
  # Each pod gets a claim of its own; a ResourceClaim by its name would be one for all of them, on one node.
  spec:
    devices:
      requests:
        - name: gpus
{{#EXACTLY}}          exactly:
            deviceClassName: gpu.nvidia.com
            allocationMode: ExactCount
            count: {{GPUS}}
{{/EXACTLY}}{{#FLAT}}          deviceClassName: gpu.nvidia.com
          allocationMode: ExactCount
          count: {{GPUS}}
{{/FLAT}}{{@claim-group.tpl}}
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
      containers:
        {{@torchrun.tpl}}
          resources:
            claims:
              - name: gpus
          # NCCL and data loaders share memory here; a pod has 64 MiB of it unless something is mounted.
          volumeMounts:
            - name: shared-memory
              mountPath: /dev/shm
      resourceClaims:
        - name: gpus
          resourceClaimTemplateName: {{CLAIM_NAME}}
      {{@pod.tpl}}
{{/JOB}}
