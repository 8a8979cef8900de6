#!/bin/sh
kubectl label node/n1 example.com/partition=gpu-inf
kubectl label node/n2 example.com/partition=gpu_inf
