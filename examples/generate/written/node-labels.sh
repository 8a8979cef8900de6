#!/bin/sh
# Labels of the Kubernetes nodes of fleet west-2: the pool, and the place in the topology that ResourceFlavors and
# Topologies of Kueue and KAI name. Run it again when nodes are added; better, give the labels to the kubelet
# (--node-labels), so that a node never comes up without them.
set -eu
kubectl label --overwrite nodes muster.dev/pool=h200 h200-01 h200-02 h200-03 h200-04 h200-05 h200-06 h200-07 h200-08 h200-09 h200-10 h200-11 h200-12 h200-13 h200-14 h200-15 h200-16 h200-17 h200-18 h200-19 h200-20 h200-21 h200-22 h200-23 h200-24 h200-25 h200-26 h200-27 h200-28 h200-29 h200-30 h200-31 h200-32
kubectl label --overwrite nodes topology.muster.dev/leaf=leaf1 topology.muster.dev/spine=spine1 h200-01 h200-02 h200-03 h200-04 h200-05 h200-06 h200-07 h200-08 h200-09 h200-10 h200-11 h200-12 h200-13 h200-14 h200-15 h200-16
kubectl label --overwrite nodes topology.muster.dev/leaf=leaf2 topology.muster.dev/spine=spine1 h200-17 h200-18 h200-19 h200-20 h200-21 h200-22 h200-23 h200-24 h200-25 h200-26 h200-27 h200-28 h200-29 h200-30 h200-31 h200-32
