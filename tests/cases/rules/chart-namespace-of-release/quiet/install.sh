#!/bin/bash
helm upgrade --install serve ./charts/serve -n releases --create-namespace
helm install serve ./charts/serve -n models --create-namespace --set namespace.create=false
helm install serve oci://example.com/charts/serve -n models --create-namespace
