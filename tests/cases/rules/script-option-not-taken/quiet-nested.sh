#!/bin/bash
while getopts "hm:p:q:" opt; do
  case $opt in
    h) usage ;;
    m) case "$OPTARG" in
         a) mode=all ;;
         b) mode=best ;;
       esac ;;
    p) if [ -n "$OPTARG" ]; then case $OPTARG in
         c) part=cpu ;;
         g) part=gpu ;;
       esac; fi ;;
    q) case $OPTARG in l) queue=long ;; s) queue=short ;; esac ;;
  esac
done
python train.py "$mode" "$part" "$queue"
