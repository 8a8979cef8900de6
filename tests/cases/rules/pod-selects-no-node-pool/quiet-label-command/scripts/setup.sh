#!/usr/bin/env bash
set -eu
kubectl label --overwrite nodes n1 workload=train
