#!/bin/bash
helm install prometheus prometheus-community/kube-prometheus-stack --version 79.1.0
