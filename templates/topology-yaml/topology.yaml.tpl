# topology.yaml of fleet {{FLEET}}, from topology.domains of its fleet file.
#
# slurmctld 25.05 and later reads this file beside slurm.conf and then ignores topology.conf and TopologyPlugin. A
# partition chooses with Topology=; the others use the one with cluster_default.
{{#TREE}}- topology: tree
  cluster_default: {{TREE_DEFAULT}}
  tree:
    switches:
{{#SWITCH}}      - switch: {{NAME}}
{{#LEAF}}        nodes: {{NODES}}
{{/LEAF}}{{#INNER}}        children: {{CHILDREN}}
{{/INNER}}{{/SWITCH}}{{/TREE}}{{#BLOCKS}}- topology: block
  cluster_default: true
  block:
    # {{WHY}}
    block_sizes:
{{#SIZE}}      - {{NUMBER}}
{{/SIZE}}    # The order counts: aggregated blocks are made of neighbours.
    blocks:
{{#BLOCK}}      - block: {{BLOCK_NAME}}
        nodes: {{BLOCK_NODES}}
{{/BLOCK}}{{/BLOCKS}}