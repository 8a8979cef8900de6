#!/bin/bash
set -e
# finding: script-overwrites-profile
echo "source /shared/conda/bin/activate" > ~/.bash_profile
