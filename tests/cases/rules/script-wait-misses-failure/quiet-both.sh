#!/bin/bash
kubectl wait --for=condition=failed --timeout=20m job/bench && exit 1 &
kubectl wait --for=condition=complete --timeout=20m job/bench
