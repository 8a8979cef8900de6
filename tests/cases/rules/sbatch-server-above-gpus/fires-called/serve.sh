#!/bin/bash
vllm serve example/model --tensor-parallel-size 2 --port "$PORT"
