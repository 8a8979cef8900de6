# Values of Soperator's chart nodesets, release 4.1.7, for fleet {{FLEET}}.
#
#   helm install nodesets oci://cr.eu-north1.nebius.cloud/soperator/helm-nodesets --version 4.1.7 \
#     --namespace {{CLUSTER_WORD}} --values nodesets-values.yaml
nodesets:
{{#POOL}}  - name: {{NAME}}
    # A pod for each node of the pool.
    replicas: {{REPLICAS}}
    gpu:
      enabled: true
      nvidia: {}
    nodeConfig:
{{#CORES}}      static: {{STATIC}}
{{/CORES}}      gresConfig: [AutoDetect=nvidia]
    nodeSelector:
      {{LABEL}}: {{VALUE}}
    tolerations:
      - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
    slurmd:
      # What pods may have of a node, without munge below: the chart makes requests and limits of it, GPUs too.
      resources:
        cpu: {{CPUS}}
        memory: {{MEMORY}}
        gpu: {{GPUS}}
      volumes:
        # What slurmd keeps of running jobs; a pod that goes takes its jobs with it anyway.
        spool:
          emptyDir: {}
        jail:
          persistentVolumeClaim:
            claimName: jail-pvc
    munge:
      resources:
        cpu: "2"
        memory: 4Gi
{{/POOL}}
