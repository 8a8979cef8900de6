#!/bin/sh
ray job submit --address http://localhost:8265 --runtime-env-json='{
    "working_dir": ".",
    "pip": ["torch==2.3.0"]
}' -- python src/tune.py   # finding: ray-entrypoint-misplaced
