#!/bin/bash
export TF_VAR_region=europe-west4
export TF_VAR_vm_image=debian-12
#export TF_VAR_image=debian-12
