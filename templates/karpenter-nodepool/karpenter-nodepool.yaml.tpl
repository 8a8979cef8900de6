# NodePools of Karpenter for fleet {{FLEET}}.
#
# Before they count: the NodeClass of each. Karpenter makes nodes for pods that a scheduler could not place: a gang waits
# until the last of its nodes is there. Nodes of a pool that is stated with its nodes stay as they are.
{{#POOL}}---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: {{NAME}}
spec:
  template:
    metadata:
      labels:
        {{LABEL}}: {{VALUE}}
    spec:
      nodeClassRef:
        group: {{GROUP}}
        kind: {{KIND}}
        name: {{CLASS}}
      requirements:
        - key: node.kubernetes.io/instance-type
          operator: In
          values:
{{#TYPE}}            - {{INSTANCE}}
{{/TYPE}}        # What is reserved comes first, where there is some. A spot node goes with two minutes' notice, and with it the gang
        # or the replica on it.
        - key: karpenter.sh/capacity-type
          operator: In
          values: [reserved, on-demand]
      taints:
        # Pods without GPUs stay away.
        - {key: {{RESOURCE}}, effect: NoSchedule}
{{#GANGS}}      # By itself a node ends after 30 days, whatever runs on it.
      expireAfter: Never
{{/GANGS}}  disruption:
    # By itself Karpenter moves pods together to save nodes: to a gang that is the end of it, to a server the loading of its
    # model.
    consolidationPolicy: WhenEmpty
    # Has to be there. A node that has just become empty waits for the next gang: another one takes minutes to come.
    consolidateAfter: 10m
{{#DRIFT}}    budgets:
      - nodes: 10%
      # What changes in the NodeClass is not rolled out under running gangs: delete the nodes by hand when nothing runs.
      - nodes: "0"
        reasons: [Drifted]
{{/DRIFT}}  limits:
{{#WHOLE}}    # autoscaling.max_nodes of gpus_per_node each. Nothing else bounds what it costs.
    {{LIMITED}}: {{MOST}}
{{/WHOLE}}{{#PARTS}}    # Shares and slices of GPUs have other names. Nothing else bounds what it costs.
    nodes: {{MOST_NODES}}
{{/PARTS}}{{/POOL}}
