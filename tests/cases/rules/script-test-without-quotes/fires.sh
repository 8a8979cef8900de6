#!/bin/bash
if [ -n $HEAD ]; then   # finding: script-test-without-quotes
  echo "$HEAD"
fi
[ ! -n ${1} ] && exit 1   # finding: script-test-without-quotes
[ -n $(squeue -h) ] && sleep 1   # finding: script-test-without-quotes
