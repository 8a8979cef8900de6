#!/bin/bash
OPTIONS="--title 'first run' --depth 3"
python train.py $OPTIONS   # finding: script-quotes-in-variable
export PROGRAM="python -c 'import time; time.sleep(3)'"
srun $PROGRAM &   # finding: script-quotes-in-variable
wait
