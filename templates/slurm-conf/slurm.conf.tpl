# slurm.conf of fleet {{FLEET}}, the same on every host, as /etc/slurm/slurm.conf. Files beside it: nodes.conf,
# cgroup.conf, gres.conf where nodes have GPUs, topology.conf where the fleet has a topology, and the scripts named
# here.
ClusterName={{CLUSTER}}
SlurmctldHost={{CONTROLLER}}
# Not root: slurmctld opens a port to everybody. slurmd runs as root all the same, for it starts the jobs.
SlurmUser=slurm
# The queue and every running job: a local disk of the controller, or a shared one where a second controller takes over.
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd

# Jobs are kept to what they were given (cgroup.conf says of what) and nothing of them is left behind.
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup,task/affinity
# GPUs need cons_tres, which 22.05 and older do not take by themselves. Memory is given out like CPUs, so each partition
# has a DefMemPerCPU: without one a job that asks for none holds all of a node.
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory

# A gang is planned ahead for as long as the longest job runs, or small jobs pass it for ever: bf_window is in minutes,
# and 7 days as MaxTime of the partitions is.
SchedulerType=sched/backfill
SchedulerParameters=bf_continue,bf_window=10080,bf_resolution=300,nohold_on_prolog_fail
# What none of its partitions can ever run is refused when it is submitted, and does not wait for ever.
EnforcePartLimits=ANY
# A large job gains with its size; fair share and age count with slurmdbd alone.
PriorityType=priority/multifactor
PriorityWeightJobSize=10000
{{#ACCOUNTED}}PriorityWeightFairshare=100000
PriorityWeightAge=1000
PriorityMaxAge=7-0

# Accounts, and the limits of accounts.cfg (template slurm-fairshare). GPUs are counted only when they are named.
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost={{DATABASE}}
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos,safe
JobAcctGatherType=jobacct_gather/cgroup
{{/ACCOUNTED}}{{#ALONE}}
# No slurmdbd is named (slurm.database of the fleet file): there are no accounts, no fair share and no limits of GPUs.
{{/ALONE}}
# When one rank ends the others wait in a collective: end them, too, and start again from the checkpoint.
KillOnBadExit=1
JobRequeue=1
# A node that was silent and answers again with its whole configuration comes back by itself.
ReturnToService=1
SlurmctldTimeout=120
SlurmdTimeout=300
# A process in a driver call dies late. 60 s would drain nodes that only needed a little longer.
UnkillableStepTimeout=180
# RDMA pins memory; the limit of the login node must not come along.
PropagateResourceLimitsExcept=MEMLOCK
{{#WATCHED}}
# The prolog runs on all nodes of a job before any rank starts. When it fails the node is drained and the job goes back
# into the queue, not on hold (nohold_on_prolog_fail). It ends within a minute, and BatchStartTimeout waits for it.
Prolog=/etc/slurm/prolog.sh
PrologFlags=Alloc,Contain
BatchStartTimeout=90
# An interval of 0, the default, means never. slurmd ends the program after 60 s.
HealthCheckProgram=/etc/slurm/health-check.sh
HealthCheckInterval=300
HealthCheckNodeState=ANY
{{/WATCHED}}
# Rules about requests: write job_submit.lua (template job-submit-lua) beside this file, then take this line. A Slurm
# that was built without Lua does not start with it.
# JobSubmitPlugins=lua

Include nodes.conf
{{#BRIDGED}}# The partition in which slurm-bridge lets it place pods.
Include slurm-bridge.conf
{{/BRIDGED}}