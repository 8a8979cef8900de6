#!/bin/bash
MODEL=$1
PORT=$2
TP_SIZE=$3
manage() {
  while true; do
    python3 -m sglang.launch_server --model-path "$MODEL" --host 0.0.0.0 --port "$PORT" --tp-size "$TP_SIZE" &
    wait $!
    sleep 15
  done
}
manage &
wait
