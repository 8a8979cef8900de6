#!/bin/bash
{% if gpus %}
if nvidia-smi; then
{% endif %}
  echo ok
{% if gpus %}
fi
{% endif %}
if {{ test }}
