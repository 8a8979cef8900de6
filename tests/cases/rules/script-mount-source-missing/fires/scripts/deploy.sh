#!/bin/bash
ROOT="$(cd "$(dirname "$0")/.." && pwd)"
# finding: script-mount-source-missing
docker run -d --name node --gpus all -v "${ROOT}/site/slurm.conf.tmp:/etc/slurm/slurm.conf:ro" -v "${ROOT}/site/notes.txt:/notes.txt" example.com/slurm:25.05
