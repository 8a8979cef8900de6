#!/bin/bash
folders=(/data/a /data/b "/data/c d")
echo "$folders"
python prepare.py --input ${folders} --out /data/out   # finding: script-list-as-word
