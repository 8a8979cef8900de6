#!/bin/bash
HERE="$(cd "$(dirname "$0")" && pwd)"
cd "$HERE"
sbatch evaluate.sbatch   # finding: sbatch-script-missing
