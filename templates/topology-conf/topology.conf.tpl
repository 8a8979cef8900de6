# topology.conf of fleet {{FLEET}}, from topology.domains of its fleet file.
#
# slurm.conf needs TopologyPlugin=topology/tree; changing the plugin takes a restart of slurmctld, not a reconfigure.
# Every node stands under exactly one leaf. Children come before their parents: slurmctld makes at most 20 passes over
# the file, and a deep tree written from the top down is refused. Names are case-sensitive and not expanded on the left.
{{#SWITCH}}{{#LEAF}}SwitchName={{NAME}} Nodes={{NODES}}
{{/LEAF}}{{#INNER}}SwitchName={{NAME}} Switches={{CHILDREN}}
{{/INNER}}{{/SWITCH}}