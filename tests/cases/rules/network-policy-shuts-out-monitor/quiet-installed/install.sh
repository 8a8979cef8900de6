#!/bin/sh
helm upgrade --install monitoring prometheus-community/kube-prometheus-stack --namespace models
