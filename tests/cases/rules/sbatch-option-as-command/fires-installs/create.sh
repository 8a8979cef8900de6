#!/bin/bash
gcloud container clusters create train \
    --region=europe-west4
    --cluster-version=${VERSION} \
    --num-nodes=2
