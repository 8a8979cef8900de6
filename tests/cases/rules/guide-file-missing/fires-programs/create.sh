#!/bin/bash
pcluster create-cluster --cluster-configuration cluster-3.yaml --cluster-name ml
ansible-playbook -i hosts nodes-gpu.yaml
ansible-playbook nodes-gpu.yaml
ansible-playbook lab.tools.report.yaml
helm install x ./chart -f values-prod.yaml
