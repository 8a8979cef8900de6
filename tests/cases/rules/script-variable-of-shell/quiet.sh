#!/bin/bash
export UID
RANDOM=42
RANDOM_ANGLES=True
UID_OF_JOB=$(id -u)
python sample.py --seed $RANDOM --user $UID
