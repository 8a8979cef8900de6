# Under requests, too: Volcano counts those.
resources:
  requests:
    {{RESOURCE}}: {{GPUS}}
  limits:
    {{RESOURCE}}: {{GPUS}}
# NCCL and data loaders share memory here; a pod has 64 MiB of it unless something is mounted.
volumeMounts:
  - name: shared-memory
    mountPath: /dev/shm
