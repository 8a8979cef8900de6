#!/bin/bash
set -e
export TF_VAR_release=1.35
terraform apply
