#!/bin/bash
export TF_VAR_region=europe-west4
ZONE=${TF_VAR_zone:-europe-west4-b}
echo "$ZONE"
