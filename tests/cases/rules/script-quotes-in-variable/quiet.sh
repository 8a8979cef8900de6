#!/bin/bash
OPTIONS=(--title 'first run' --depth 3)
python train.py "${OPTIONS[@]}"
PROGRAM="python -c 'import time; time.sleep(3)'"
echo $PROGRAM
eval $PROGRAM
bash -c "$PROGRAM"
ssh node1 $PROGRAM
note() { echo "$@"; }
MESSAGE="it is 'so' and no other"
note $MESSAGE
PLAIN="--title first --owner it's"
python train.py $PLAIN
JSON='{"a":1,"b":"c"}'
python train.py --config $JSON
