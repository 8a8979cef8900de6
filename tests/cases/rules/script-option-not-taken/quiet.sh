#!/bin/bash
while getopts "hm:d:-:" option; do
  case "${option}" in
    h | d)
      case "$OPTARG" in
        z) folder=/data ;;
      esac
      ;;
    m) model="$OPTARG" ;;
    -) long="$OPTARG" ;;
    *) exit 1 ;;
  esac
done
case $1 in
  x) python download.py "$model" "$folder" "$long" ;;
esac
