# What slurm-bridge needs in slurm.conf of fleet {{FLEET}}. Put `Include slurm-bridge.conf` there, at the start of a line.
#
# The token of slurmrestd needs AuthAltTypes=auth/jwt and a jwt_key in slurm.conf, too: where they are missing, slurm-bridge
# is not let in.
#
# Only nodes that run a kubelet, too: a pod that got another one would never start. Services have no end, so the partition
# has none. GPUs are counted as gres/gpu without a type; which ones a pod gets is the kubelet's business, so a pod has its
# node alone unless it says otherwise.
NodeSet=bridged Nodes={{NODES}}
PartitionName=slurm-bridge Nodes=bridged Default=NO MaxTime=UNLIMITED State=UP
# Where a job asks for it, only those with its label share its nodes: pods have the label kubernetes.
MCSPlugin=mcs/label
MCSParameters=ondemand,ondemandselect
