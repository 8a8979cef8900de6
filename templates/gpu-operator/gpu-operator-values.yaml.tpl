# Values of NVIDIA's chart gpu-operator, release v26.7.0, for fleet {{FLEET}}.
#
#   helm install gpu-operator gpu-operator --repo https://helm.ngc.nvidia.com/nvidia --version v26.7.0 \
#     --namespace gpu-operator --create-namespace --values gpu-operator-values.yaml
#
# What is not said here is as the chart has it. The device plugin hands out the GPUs: on these nodes nothing else may, the
# DRA driver's own GPUs included.
{{#DRIVER_IN_IMAGE}}driver:
  # The image of the nodes brings it.
  enabled: false
{{/DRIVER_IN_IMAGE}}{{#DRIVER}}driver:
  enabled: true
{{#VERSION}}  # One for all nodes: a gang across two drivers is a gang across two versions of everything below NCCL.
  version: {{DRIVER_VERSION}}
{{/VERSION}}{{#DRIVERS}}  # The pools have different ones: an NVIDIADriver for each (nvidia-drivers.yaml), and none for all.
  nvidiaDriverCRD:
    enabled: true
    deployDefaultCR: false
{{/DRIVERS}}{{#BY_HAND}}  upgradePolicy:
    # By itself the operator evicts pods with GPUs as soon as the release above changes, node by node: each gang that it
    # meets ends. Delete the driver's pods of a pool by hand when nothing runs there.
    autoUpgrade: false
{{/BY_HAND}}{{/DRIVER}}mig:
{{#NO_MIG}}  # Gangs use whole GPUs.
  strategy: none
{{/NO_MIG}}{{#MIG}}  # Slices have a name of their own (nvidia.com/mig-1g.10gb): who asks for nvidia.com/gpu never gets one.
  strategy: mixed
{{#MIG_DEFAULT}}migManager:
  config:
    default: {{MIG_CONFIG}}
{{/MIG_DEFAULT}}{{#MIG_LABEL}}# kubectl label nodes -l muster.dev/pool={{MIG_POOL}} nvidia.com/mig.config={{MIG_VALUE}}
{{/MIG_LABEL}}{{/MIG}}{{#SHARING}}devicePlugin:
  config:
    create: true
    name: device-plugin-config
    # Who has no label has whole GPUs. The nodes of the pools that share have to have theirs:
{{#SHARE_LABEL}}    # kubectl label nodes -l muster.dev/pool={{LABEL_POOL}} nvidia.com/device-plugin.config={{LABEL_POOL}}
{{/SHARE_LABEL}}    default: whole
    data:
      whole: |-
        version: v1
{{#SHARE}}      # A share is called nvidia.com/gpu.shared, and nobody gets two: they may lie on one GPU.
      {{SHARE_POOL}}: |-
        version: v1
        sharing:
          {{SHARE_KIND}}:
            renameByDefault: true
            failRequestsGreaterThanOne: true
            resources:
              - name: nvidia.com/gpu
                replicas: {{REPLICAS}}
{{/SHARE}}{{/SHARING}}{{#K3S}}toolkit:
  env:
    # k3s runs its own containerd.
    - name: CONTAINERD_SOCKET
      value: /run/k3s/containerd/containerd.sock
{{/K3S}}{{#TAINTED}}# Slurm's nodes keep other pods away; these have to be there all the same. A list replaces the chart's.
daemonsets:
  tolerations:
    - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
    - {key: slinky.slurm.net/managed-node, operator: Exists}
    - {key: slinky.slurm.net/slurm, operator: Exists}
node-feature-discovery:
  worker:
    tolerations:
      - {key: node-role.kubernetes.io/control-plane, operator: Equal, value: "", effect: NoSchedule}
      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
      - {key: slinky.slurm.net/managed-node, operator: Exists}
      - {key: slinky.slurm.net/slurm, operator: Exists}
{{/TAINTED}}
