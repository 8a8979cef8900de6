#!/bin/bash
find jobs -name "*.sbatch" -exec sbatch {} \;
find . -path "*/jobs/*.sbatch" -name "train*" -exec sbatch {} \;
find . -name "$PATTERN/x" -print
