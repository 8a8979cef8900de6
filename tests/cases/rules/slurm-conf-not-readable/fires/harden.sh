#!/bin/sh
sudo chmod 600 /etc/slurm/slurm.conf
