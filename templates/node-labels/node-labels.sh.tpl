#!/bin/sh
# Labels of the Kubernetes nodes of fleet {{FLEET}}: the pool, and the place in the topology that ResourceFlavors and
# Topologies of Kueue and KAI name. Run it again when nodes are added; better, give the labels to the kubelet
# (--node-labels), so that a node never comes up without them.
set -eu
{{#POOL}}{{#BATCH}}kubectl label --overwrite nodes {{KEY}}={{VALUE}}{{#POOL_NODE}} {{POOL_HOST}}{{/POOL_NODE}}
{{/BATCH}}{{/POOL}}{{#LEAF}}kubectl label --overwrite nodes{{#LABEL}} {{LEVEL_KEY}}={{DOMAIN}}{{/LABEL}}{{#HOST}} {{HOST_NAME}}{{/HOST}}
{{/LEAF}}