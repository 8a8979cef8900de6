#!/bin/sh
ray job submit --working-dir src -- python src/tune.py   # finding: ray-entrypoint-misplaced
