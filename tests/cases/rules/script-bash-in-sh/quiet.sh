#!/bin/sh
# read -r FIRST <<< "$NODES"
echo "git merge: <<<<<<< HEAD"
read -r FIRST <<EOF
$NODES
EOF
echo "$FIRST"
