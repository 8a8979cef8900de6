#!/usr/bin/env zsh
folders=(/data/a /data/b)
python prepare.py --input $folders
