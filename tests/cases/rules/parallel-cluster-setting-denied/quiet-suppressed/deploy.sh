#!/bin/bash
pcluster create-cluster --cluster-name lab --cluster-configuration cluster.yaml --suppress-validators ALL
