#!/usr/bin/env bash
set -eu
gcloud container node-pools create more --cluster train --node-labels=workload=train
