#!/bin/bash
case "$1" in
  up) echo up ;;
  *)
    if [ -n "$2" ]; then
      echo "$2"
esac   # finding: script-block-unclosed
