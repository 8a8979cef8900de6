#!/bin/sh
nvidia-smi -L | awk '{ print "Name=gpu File=/dev/nvidia" NR-1 }' > /etc/slurm/gres.conf
