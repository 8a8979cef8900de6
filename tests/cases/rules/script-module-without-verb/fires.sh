#!/bin/bash
module purge
module PyTorch/2.1.2-foss-2023a   # finding: script-module-without-verb
python train.py
