#!/bin/sh
# sourced by zsh
for ((i=1; i<=${#hosts[@]}; i++)); do echo "${hosts[$i]}"; done
