#!/usr/bin/env bash
set -eu
kubectl label nodes --selector pool=own workload=train
