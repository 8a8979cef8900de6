#!/bin/bash
python infer.py $*   # finding: script-arguments-split
