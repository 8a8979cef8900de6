#!/bin/bash
python make_configs.py --out configs
accelerate launch --config_file configs/fsdp.yaml train.py
