#!/bin/sh
kubectl label node gpu-a example.com/rack=r_two
for n in one two; do kubectl label node "gpu-$n" example.com/rack=r-$n; done
