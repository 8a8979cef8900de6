#!/bin/bash
pushd /shared/projects/llm
deepspeed train.py --deepspeed ds_zero3.json
