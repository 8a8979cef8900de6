#!/bin/bash
# finding: script-launch-config-missing
accelerate launch --config_file fsdp.yaml train.py
