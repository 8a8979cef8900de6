#!/bin/bash
python infer.py "$@"
