# gres.conf of fleet {{FLEET}}. The counts and types must be those of Gres in slurm.conf (template slurm-nodes).
#
# One file serves all nodes: each reads the lines that name it. It belongs on the controller, too. Device files are listed
# because AutoDetect cannot be used on cloud nodes and needs a slurmd that was built with NVML; on nodes that have both
# AutoDetect=nvml adds the binding of GPUs to cores.
{{#POOL}}{{#TYPED}}NodeName={{NODES}} Name=gpu Type={{TYPE}} File={{FILES}}
{{/TYPED}}{{#UNTYPED}}NodeName={{NODES}} Name=gpu File={{FILES}}
{{/UNTYPED}}{{/POOL}}