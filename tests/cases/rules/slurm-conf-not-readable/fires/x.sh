#!/bin/sh
chmod 600 /etc/slurm/slurm.conf
chmod u+w /etc/slurm/slurm.conf
