#!/bin/bash
export TF_VAR_zone=a
export TF_VAR_gpu_count=8
terraform apply
