#!/bin/bash
SEED=${SEED:-0}
python train.py ${SEED:+--seed $SEED}
