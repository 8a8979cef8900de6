# Volcano HyperNodes for the topology of fleet {{FLEET}}. The lower the tier, the closer its nodes.
#
# Before they count: Volcano's scheduler needs the plugin `network-topology-aware` (template volcano-scheduler-config),
# and a job says how far apart its pods may be: networkTopology {mode: hard, highestTierAllowed: 1}. Nodes are named one
# by one; no label has to be on them first.
{{#DOMAIN}}---
apiVersion: topology.volcano.sh/v1alpha1
kind: HyperNode
metadata:
  name: {{NAME}}
spec:
  tier: {{TIER}}
  tierName: {{LEVEL}}
  members:
{{#HOST}}    - type: Node
      selector:
        exactMatch:
          name: {{HOST_NAME}}
{{/HOST}}{{#INNER}}    - type: HyperNode
      selector:
        exactMatch:
          name: {{INNER_NAME}}
{{/INNER}}{{/DOMAIN}}
