#!/bin/bash
NAME="$1"
shift
python train.py --name "$NAME" $@
