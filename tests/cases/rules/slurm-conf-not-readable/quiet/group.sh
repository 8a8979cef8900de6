#!/bin/sh
chmod 640 /etc/slurm/slurm.conf
chmod 750 /etc/slurm
