#!/bin/bash
helm install \
  kai kai/kai-scheduler --version v0.9.0
helm upgrade kai kai/kai-scheduler --version v0.9.1
