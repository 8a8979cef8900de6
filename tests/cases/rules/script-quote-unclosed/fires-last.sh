#!/bin/bash
srun python train.py
curl -d '{"model": "x"}   # finding: script-quote-unclosed
