#!/bin/bash
wait "$pid"; rc=$?
read -r rc < out.rc
if [ -n "$rc" ]; then echo "$rc"; fi
