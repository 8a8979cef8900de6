#!/bin/sh
ray job submit --working-dir ./jobs -- python tune/main.py
