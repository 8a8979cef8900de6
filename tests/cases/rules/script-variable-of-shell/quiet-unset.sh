#!/bin/bash
unset GROUPS
GROUPS="a b"
for g in $GROUPS; do echo "$g"; done
