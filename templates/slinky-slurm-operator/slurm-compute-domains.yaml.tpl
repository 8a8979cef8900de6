# NVLink across the nodes of fleet {{FLEET}}: what the pods of slurmd claim their IMEX channels from. One for each pool;
# nodes of several NVLink domains may stand in one, and share memory within each.
#
# It needs NVIDIA's DRA driver for ComputeDomains, with GPU driver 570.158.01 or newer, nvidia-imex.service masked on the
# hosts and the label nvidia.com/gpu.clique on the nodes. A spec cannot be changed once it is there.
{{#DOMAIN}}---
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata:
  name: {{NAME}}
  namespace: slurm
spec:
  # Nodes join as pods come; a number would say nothing but when the status is Ready, and is deprecated.
  numNodes: 0
  channel:
    # All of them: a job cannot have one of its own.
    allocationMode: All
    resourceClaimTemplate:
      name: {{CLAIM_NAME}}
{{/DOMAIN}}