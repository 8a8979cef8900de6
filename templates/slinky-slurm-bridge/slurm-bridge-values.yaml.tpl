# Values of the chart slurm-bridge, release 1.2.1, for fleet {{FLEET}}: the Slurm that works places pods as well.
#
#   kubectl create namespace slurm
#   kubectl create secret generic slurm-bridge-token --namespace slurm --from-literal=auth-token=TOKEN
#   helm install slurm-bridge oci://ghcr.io/slinkyproject/charts/slurm-bridge --version 1.2.1 --namespace slurm \
#     --values slurm-bridge-values.yaml
#
# TOKEN is what `scontrol token username=slurm lifespan=SECONDS` prints; when it runs out no pod is placed any more, so
# write down when. Before that: cert-manager, a kubelet on each of Slurm's nodes, slurmrestd with auth/jwt, and
# slurm-bridge.conf in slurm.conf.
schedulerConfig:
  schedulerName: slurm-bridge-scheduler
  # Keeps pods and jobs of Slurm from meeting on one node (slurm-bridge.conf).
  mcsLabel: kubernetes
  partition: slurm-bridge
admission:
  # Every pod of these namespaces is Slurm's to place, whatever scheduler it names. A namespace whose pods another gang
  # scheduler places does not belong here.
  managedNamespaces:
    - slurm-bridge
{{#REST}}sharedConfig:
  slurmRestApi: {{URL}}
  slurmJwtSecret: slurm-bridge-token
{{/REST}}
