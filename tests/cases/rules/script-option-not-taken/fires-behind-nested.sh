#!/bin/bash
while getopts "m:" opt; do
  case $opt in
    m) case "$OPTARG" in
         a) mode=all ;;
       esac ;;
    d) folder=$OPTARG ;;  # finding: script-option-not-taken
  esac
done
python train.py "$mode" "$folder"
