# topology.conf of fleet {{FLEET}}, from topology.domains of its fleet file.
#
{{#TREE}}# slurm.conf needs TopologyPlugin=topology/tree; changing the plugin takes a restart of slurmctld, not a reconfigure.
# Every node stands under exactly one leaf. Children come before their parents: slurmctld makes at most 21 passes over
# the file, and a deep tree written from the top down is refused. Names are case-sensitive and not expanded on the left.
{{#SWITCH}}{{#LEAF}}SwitchName={{NAME}} Nodes={{NODES}}
{{/LEAF}}{{#INNER}}SwitchName={{NAME}} Switches={{CHILDREN}}
{{/INNER}}{{/SWITCH}}{{/TREE}}{{#BLOCKS}}# slurm.conf needs TopologyPlugin=topology/block; changing the plugin takes a restart of slurmctld, not a reconfigure.
# The order of the blocks counts: aggregated blocks are made of neighbours.
{{#BLOCK}}BlockName={{BLOCK_NAME}} Nodes={{BLOCK_NODES}}
{{/BLOCK}}#
# BlockSizes: {{WHY}}.
# The first is the base block, what a job may count on in each; before 25.05 a block with fewer nodes is refused.
BlockSizes={{SIZES}}
{{/BLOCKS}}