#!/bin/bash
helm upgrade --install serve ./charts/serve \
  --namespace models --create-namespace --wait
