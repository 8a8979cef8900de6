#!/bin/bash
set -e
cp ~/.bashrc ~/.bashrc.before
echo "module load cuda" > "$HOME/.bashrc"
