#!/bin/bash
helm upgrade --install serve ./chart --set image=$REGISTRY/serve:$TAG
