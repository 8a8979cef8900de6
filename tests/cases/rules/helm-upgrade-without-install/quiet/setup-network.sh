#!/bin/bash
if helm status network-operator; then
  helm upgrade network-operator nvidia/network-operator --version v25.7.0
fi
