#!/bin/bash
# finding: script-find-name-of-path
find . -maxdepth 2 -name "jobs/*.sbatch" -exec sbatch {} \;
