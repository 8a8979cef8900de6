#!/bin/bash
sed s/X/Y/ site/notes.txt > site/made.conf
docker run -d --name node --gpus all \
  -v "$PWD/site/made.conf:/etc/slurm/slurm.conf:ro" \
  -v "$PWD/data/other.conf:/etc/other.conf" \
  -v /etc/localtime.conf:/etc/localtime.conf \
  -v "$PWD/site:/site" \
  example.com/slurm:25.05
