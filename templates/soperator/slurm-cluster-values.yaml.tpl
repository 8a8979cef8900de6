# Values of Soperator's chart slurm-cluster, release 4.1.7, for fleet {{FLEET}}: Slurm whose nodes all show one root file system.
#
#   helm install slurm-cluster oci://cr.eu-north1.nebius.cloud/soperator/helm-slurm-cluster --version 4.1.7 \
#     --namespace {{CLUSTER_WORD}} --create-namespace --values slurm-cluster-values.yaml
#
# Before that: Soperator itself (helm-soperator-crds and helm-soperator, 4.1.7), the labels of the nodes (template
# node-labels), what brings the GPUs (gpu-operator-values.yaml), and in that namespace the claim jail-pvc. It is the root
# that all nodes share, and has to be ReadWriteMany. NodeSets come by nodesets-values.yaml.
clusterName: {{CLUSTER}}
# Anything else is for a day of work on it, and ends in downtime.
maintenance: none
k8sNodeFilters:
  - name: gpu
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
            - matchExpressions:
                - key: muster.dev/pool
                  operator: In
                  values:
{{#GPU_POOL}}                    - {{GPU_LABEL}}
{{/GPU_POOL}}    tolerations:
      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
  # Controller, login and the rest: on no node with Slurm's GPUs.
  - name: no-gpu
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
            - matchExpressions:
                - key: muster.dev/pool
                  operator: NotIn
                  values:
{{#OTHER_POOL}}                    - {{OTHER_LABEL}}
{{/OTHER_POOL}}sConfigController:
  node:
    # The chart has a third filter here, system, and a name that is no filter is refused.
    k8sNodeFilterName: no-gpu
partitionConfiguration:
  configType: structured
  partitions:
{{#PARTITION}}    - name: {{NAME}}
      nodeSetRefs: [{{NAME}}]
      config: {{CONFIG}}
{{/PARTITION}}{{#BLOCKS}}slurmConfig:
  topologyPlugin: topology/block
topology:
  # Nodes of one NVLink domain.
  blockSize: {{BLOCK}}
{{/BLOCKS}}slurmNodes:
{{#DISK}}  controller:
    volumes:
      spool:
        volumeClaimTemplateSpec:
          storageClassName: {{DISK_CLASS}}
{{/DISK}}  login:
    # The chart has keys of other people here, who would be root. Put your own.
    sshRootPublicKeys: []
