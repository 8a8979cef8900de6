#!/bin/bash
vllm serve example/model --tensor-parallel-size "${1:-4}" --port "$PORT"
