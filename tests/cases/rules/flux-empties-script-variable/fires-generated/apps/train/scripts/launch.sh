#!/bin/sh
for host in a b; do
  echo "${host}"
done
