# Drivers of fleet {{FLEET}}, one for each pool: the GPU Operator 26.7.0 reads them where driver.nvidiaDriverCRD.enabled is
# set (gpu-operator-values.yaml). The label is that of template node-labels; no node may have two of them.
{{#POOL}}---
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata:
  name: {{NAME}}
spec:
  driverType: gpu
  default: false
  repository: nvcr.io/nvidia
  image: driver
  version: {{VERSION}}
  nodeSelector:
    {{LABEL}}: {{VALUE}}
{{#TAINTED}}  tolerations:
    - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
    - {key: slinky.slurm.net/managed-node, operator: Exists}
    - {key: slinky.slurm.net/slurm, operator: Exists}
{{/TAINTED}}{{#BY_HAND}}  upgradePolicy:
    # By itself the operator evicts pods with GPUs as soon as the release above changes.
    autoUpgrade: false
{{/BY_HAND}}{{/POOL}}
