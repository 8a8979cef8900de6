#!/bin/bash
set -e
n=0
( for i in 1 2; do
  ((n++))
done ) || echo ended
