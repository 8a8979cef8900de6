#!/bin/bash
cp "$CONFIG_HOME"/*.json .
deepspeed train.py --deepspeed ds_zero3.json
