#!/bin/bash
while getopts ":m:" option; do
  case $option in
    m) model="$OPTARG" ;;
    d)   # finding: script-option-not-taken
      folder="$OPTARG"
      ;;
    *) exit 1 ;;
  esac
done
python download.py "$model" "$folder"
