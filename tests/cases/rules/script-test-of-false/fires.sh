#!/bin/bash
grep -q PMIX /etc/sysconfig/slurmd
MISSING=$?
if [ $MISSING ]; then   # finding: script-test-of-false
  echo "PMIX_MCA_gds=hash" >> /etc/sysconfig/slurmd
fi
DRY_RUN=false
[ "$1" = --dry-run ] && DRY_RUN=true
if [[ -n "$DRY_RUN" ]]; then   # finding: script-test-of-false
  exit 0
fi
