# Values of the chart slurm of Slinky's slurm-operator, release 1.2.1, for fleet {{FLEET}}: Slurm in the pods of one Kubernetes.
#
#   helm install slurm-operator-crds oci://ghcr.io/slinkyproject/charts/slurm-operator-crds --version 1.2.1
#   helm install slurm-operator oci://ghcr.io/slinkyproject/charts/slurm-operator --version 1.2.1 \
#     --namespace slinky --create-namespace
#   helm install slurm oci://ghcr.io/slinkyproject/charts/slurm --version 1.2.1 --namespace slurm --create-namespace \
#     --values slurm-values.yaml{{#TOPOLOGY}} --set-file 'configFiles.topology\.yaml=topology.yaml'{{/TOPOLOGY}}
#
{{#JOINED}}# Before that, in the namespace slurm: slurm-compute-domains.yaml, which joins nodes over NVLink.
{{/JOINED}}# Before that: slinky-nodes.sh, cert-manager, and what brings the GPUs (gpu-operator-values.yaml). To take a node out of
# Slurm cordon it in Kubernetes: the operator drains it in Slurm. The other way round nothing happens, and who evicts a
# slurmd pod ends its jobs.
clusterName: {{CLUSTER}}
configFiles:
  gres.conf: |
    AutoDetect=nvidia
controller:
  extraConfMap:
    # The operator names no type: without this slurmctld drops the Gres of every node.
    GresTypes: [gpu]
{{#JOINED}}    # What joins the nodes. The DRA driver of NVIDIA starts IMEX: no prolog does, and on the hosts it is masked.
    SwitchType: switch/nvidia_imex
{{/JOINED}}{{#MANY}}    # The operator writes 1024, and the last line counts: slurmctld takes no node beyond it.
    MaxNodeCount: {{MOST_NODES}}
{{/MANY}}{{#ACCOUNTED}}    # GPUs are counted only when they are named, and limits kept only where that is said.
    AccountingStorageTRES: [gres/gpu]
    AccountingStorageEnforce: [associations, limits, qos, safe]
    PriorityWeightFairshare: "100000"
{{/ACCOUNTED}}{{#ACCOUNTING}}accounting:
  enabled: true
  # slurmdbd runs elsewhere. It has to know this cluster's keys (slurmKey, jwtKey).
  external: true
  externalConfig:
    host: {{DATABASE}}
    # DbdPort, as slurmdbd has it by itself.
    port: 6819
{{/ACCOUNTING}}nodesets:
{{#POOL}}  {{NAME}}:
    # One slurmd on each node of the pool, called as the node.
    scalingMode: DaemonSet
{{#GPU}}    slurmd:
      # All of its GPUs: what Slurm hands out nobody else may.
      resources:
        requests:
          {{RESOURCE}}: {{GPUS}}
        limits:
          {{RESOURCE}}: {{GPUS}}
{{#CHANNEL}}        claims:
          - name: channels
{{/CHANNEL}}    extraConfMap:
      Gres: [{{GRES}}]
{{/GPU}}    partition:
      enabled: true
      configMap:
        Default: {{DEFAULT}}
    podSpec:
      nodeSelector:
        kubernetes.io/os: linux
        {{LABEL}}: {{VALUE}}
{{#CHANNEL_CLAIM}}      # All IMEX channels of its ComputeDomain; jobs share them.
      resourceClaims:
        - name: channels
          resourceClaimTemplateName: {{CLAIM_NAME}}
{{/CHANNEL_CLAIM}}      tolerations:
        # Without an effect: the taint may have any.
        - {key: slinky.slurm.net/slurm, operator: Exists}
{{#GPU_TAINT}}        - {key: {{TAINT}}, operator: Exists}
{{/GPU_TAINT}}{{/POOL}}
