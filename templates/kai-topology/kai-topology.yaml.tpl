# KAI Topology of fleet {{FLEET}}, widest level first. The labels have to be on the nodes (template node-labels): a node
# without one of them is in no domain.
apiVersion: kai.scheduler/v1alpha1
kind: Topology
metadata:
  name: {{NAME}}
spec:
  levels:
{{#LEVEL}}    - nodeLabel: {{LABEL}}
{{/LEVEL}}    # The kubelet sets it. It can only be the last.
    - nodeLabel: kubernetes.io/hostname
