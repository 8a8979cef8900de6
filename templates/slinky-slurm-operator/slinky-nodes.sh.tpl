#!/bin/sh
# Prepares the Kubernetes nodes of fleet {{FLEET}} on which slurm-operator runs slurmd: the label of their pool, a taint that
# keeps other pods away, and the switch or block of topology.yaml, which the operator tells Slurm. Run it again when nodes
# are added, before they get work.
set -eu
{{#POOL}}{{#BATCH}}kubectl label --overwrite nodes {{KEY}}={{VALUE}}{{#LABELLED}} {{LABEL_HOST}}{{/LABELLED}}
kubectl taint --overwrite nodes{{#TAINTED}} {{TAINT_HOST}}{{/TAINTED}} slinky.slurm.net/slurm=:NoSchedule
{{/BATCH}}{{/POOL}}{{#PLACE}}kubectl annotate --overwrite nodes{{#HOST}} {{HOST_NAME}}{{/HOST}} topology.slinky.slurm.net/spec={{#TREE}}tree:{{SWITCH}}{{/TREE}}{{#BOTH}},{{/BOTH}}{{#BLOCK}}block:{{BLOCK_NAME}}{{/BLOCK}}
{{/PLACE}}