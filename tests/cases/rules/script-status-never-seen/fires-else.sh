#!/usr/bin/env bash
set -e
./install.sh
if [[ "$?" == 0 ]]; then echo ok; else echo failed; fi   # finding: script-status-never-seen
