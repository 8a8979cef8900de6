#!/bin/bash
grep -q PMIX /etc/sysconfig/slurmd
MISSING=$?
if [ $MISSING -ne 0 ]; then
  exit 1
fi
while [ $# -gt 0 ]; do
  case $1 in
    --loud) LOUD=true ;;
  esac
  shift
done
[ -n "$LOUD" ] && set -x
QUIET=false
[ "$2" ] && QUIET=
if [ "$QUIET" ] || [ "$DEBUG" ]; then
  exit 0
fi
