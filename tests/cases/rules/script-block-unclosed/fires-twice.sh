#!/bin/bash
while read -r host; do
  ssh "$host" true
done < hosts
done   # finding: script-block-unclosed
