#!/bin/bash
start() {
  vllm serve "$1" --tensor-parallel-size "$2" --port "$PORT"
}
start example/model 4
