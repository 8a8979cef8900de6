#!/bin/bash
set -e
echo "source /shared/conda/bin/activate" >> ~/.bashrc
echo "module load cuda" > "$HOME/.bashrc.d"
