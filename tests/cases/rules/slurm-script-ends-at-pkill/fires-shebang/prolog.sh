#!/bin/sh -e
killall -q jupyter-lab   # finding: slurm-script-ends-at-pkill
