#!/bin/sh
kubectl label node gpu-a example.com/rack=r1-12
