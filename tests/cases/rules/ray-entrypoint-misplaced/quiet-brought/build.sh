#!/bin/sh
mkdir -p build/app
cp jobs/tune.py build/app/
ray job submit --working-dir build -- python app/tune.py
