#!/bin/sh
NODES="node1 node2"
read -r FIRST REST <<< "$NODES"   # finding: script-bash-in-sh
echo "$FIRST"
