# Kueue Topology of fleet {{FLEET}}, for the ResourceFlavors of template kueue-queues. Quota alone does not see nodes; with
# a Topology Kueue admits a gang only when each of its pods has a place.
{{#PLACED}}---
# Widest level first. The labels have to be on the nodes (template node-labels): a node without one of them is in no
# domain.
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata:
  name: {{NAME}}
spec:
  levels:
{{#LEVEL}}    - nodeLabel: {{LABEL}}
{{/LEVEL}}    # The kubelet sets it. It can only be the last.
    - nodeLabel: kubernetes.io/hostname
{{/PLACED}}{{#FLAT}}---
# For pools without a topology: each node by itself.
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata:
  name: {{FLAT_NAME}}
spec:
  levels:
    - nodeLabel: kubernetes.io/hostname
{{/FLAT}}
