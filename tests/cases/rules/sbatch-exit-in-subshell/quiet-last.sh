#!/bin/bash
#SBATCH --time=10:00 --nodes=1
hostname
test -d /data || (echo "no data"; exit 1)
