# cgroup.conf of fleet {{FLEET}}. Every one of these is off by default: without ConstrainDevices a job sees all GPUs of a node.
#
# slurm.conf needs ProctrackType=proctrack/cgroup and task/cgroup in TaskPlugin.
ConstrainDevices=yes
ConstrainCores=yes
ConstrainRAMSpace=yes
