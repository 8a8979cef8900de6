#!/bin/sh
./assemble build
ray job submit --working-dir build -- python app/tune.py
