# Nodes and partitions of fleet {{FLEET}}. Put `Include nodes.conf` into slurm.conf, at the start of a line.
#
# RealMemory is what slurmd -C of a node prints, or a little less: a node that reports less than its line is drained.
# DefMemPerCPU is what one CPU's share of it is: a job that asks for no memory would else hold all of a node.
{{#GRES_TYPES}}GresTypes=gpu
{{/GRES_TYPES}}{{#TREE}}TopologyPlugin=topology/tree
{{/TREE}}{{#BLOCK}}TopologyPlugin=topology/block
{{/BLOCK}}{{#IMEX}}# Each job gets a channel of its own to the memory of the other GPUs in its NVLink domain. It needs the daemon
# nvidia-imex on the nodes, and does not go together with job_container/tmpfs. Changing it takes a restart of all daemons.
SwitchType=switch/nvidia_imex
{{/IMEX}}{{#POOL}}NodeName={{NODES}} CPUs={{CPUS}}{{#CORES}} SocketsPerBoard={{SOCKETS}} CoresPerSocket={{EACH}} ThreadsPerCore={{THREADS}}{{/CORES}} RealMemory={{MEMORY}}{{#GPUS}} Gres={{GRES}}{{/GPUS}} State=UNKNOWN
{{/POOL}}{{#SET}}NodeSet={{POOL_NAME}} Nodes={{POOL_NODES}}
{{/SET}}{{#PARTITION}}PartitionName={{NAME}} Nodes={{NAME}} Default={{DEFAULT}} DefMemPerCPU={{EACH_CPU}} MaxTime=7-00:00:00 State=UP
{{/PARTITION}}