#!/bin/bash
accelerate launch --config_file configs/fsdp.yaml train.py
accelerate launch --config_file "$CONFIG" train.py
accelerate launch --config_file own.yaml train.py
accelerate launch --config_file other.yaml elsewhere.py
deepspeed train.py --deepspeed ds.json
