#!/bin/bash
set -e
n=0
if ! {
  ((n++))
}; then
  echo none
fi
