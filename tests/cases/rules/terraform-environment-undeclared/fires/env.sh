#!/bin/bash
export TF_VAR_region=europe-west4
export TF_VAR_image=debian-12   # finding: terraform-environment-undeclared
