#!/bin/sh
flux create kustomization device-plugin --source=GitRepository/flux-system --path=./apps/plugin
