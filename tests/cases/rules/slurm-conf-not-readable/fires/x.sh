#!/bin/sh
chmod 600 /etc/slurm/slurm.conf
chmod u+w /etc/slurm/slurm.conf
chmod -R 755 /opt
chmod -R 755 /etc/munge
