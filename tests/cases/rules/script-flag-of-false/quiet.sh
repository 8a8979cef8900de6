#!/bin/bash
PUSH=${PUSH:-}
DRY=false
LOUD=false
[ "$1" = loud ] || LOUD=
NAME=${NAME:-no}
python evaluate.py ${PUSH:+--push} ${LOUD:+--loud} ${NAME:+of $NAME}
if [ "$DRY" = true ]; then
  python evaluate.py ${DRY:+--dry-run}
fi
