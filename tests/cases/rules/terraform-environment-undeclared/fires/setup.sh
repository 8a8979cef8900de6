#!/bin/bash
export TF_VAR_zone=a
# finding: terraform-environment-undeclared
export TF_VAR_gpus=8
# export TF_VAR_old=1
terraform apply
