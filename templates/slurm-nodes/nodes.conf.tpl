# Nodes and partitions of fleet {{FLEET}}. Put `Include nodes.conf` into slurm.conf, at the start of a line.
#
# RealMemory is what slurmd -C of a node prints, or a little less: a node that reports less than its line is drained.
{{#GRES_TYPES}}GresTypes=gpu
{{/GRES_TYPES}}{{#TREE}}TopologyPlugin=topology/tree
{{/TREE}}{{#BLOCK}}TopologyPlugin=topology/block
{{/BLOCK}}{{#POOL}}NodeName={{NODES}} CPUs={{CPUS}}{{#CORES}} SocketsPerBoard={{SOCKETS}} CoresPerSocket={{EACH}} ThreadsPerCore={{THREADS}}{{/CORES}} RealMemory={{MEMORY}}{{#GPUS}} Gres={{GRES}}{{/GPUS}} State=UNKNOWN
{{/POOL}}{{#SET}}NodeSet={{POOL_NAME}} Nodes={{POOL_NODES}}
{{/SET}}{{#PARTITION}}PartitionName={{NAME}} Nodes={{NAME}} Default={{DEFAULT}} MaxTime=7-00:00:00 State=UP
{{/PARTITION}}