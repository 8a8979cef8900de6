#!/bin/bash
vllm serve example/model --tensor-parallel-size 8 --port "$PORT"
