#!/bin/sh
# Prepares the Kubernetes nodes of fleet {{FLEET}} on which slurm-operator runs slurmd: the label of their pool, a taint that
# keeps other pods away, and the switch or block of topology.yaml, which the operator tells Slurm. Run it again when nodes
# are added, before they get work.
set -eu
{{#POOL}}{{#BATCH}}kubectl label --overwrite nodes {{KEY}}={{VALUE}}{{#LABELLED}} {{LABEL_HOST}}{{/LABELLED}}
kubectl taint --overwrite nodes{{#TAINTED}} {{TAINT_HOST}}{{/TAINTED}} slinky.slurm.net/slurm=:NoSchedule
{{/BATCH}}{{/POOL}}{{#LEAF}}kubectl annotate --overwrite nodes{{#HOST}} {{HOST_NAME}}{{/HOST}} topology.slinky.slurm.net/spec=tree:{{LEAF_NAME}}{{#BLOCK}},block:{{BLOCK_NAME}}{{/BLOCK}}
{{/LEAF}}{{#ALONE}}kubectl annotate --overwrite nodes{{#ALONE_HOST}} {{ALONE_HOST_NAME}}{{/ALONE_HOST}} topology.slinky.slurm.net/spec=block:{{ALONE_NAME}}
{{/ALONE}}