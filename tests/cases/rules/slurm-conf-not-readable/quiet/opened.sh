#!/bin/sh
chmod 600 /etc/slurm/slurm.conf
chmod 600 /etc/slurm/slurmdbd.conf
chmod 644 /etc/slurm/slurm.conf
chmod 600 "/etc/slurm/slurm.conf" && chmod go+r /etc/slurm/slurm.conf
chmod 600 /etc/slurm-llnl/slurm.conf
chmod -R 644 /etc/slurm-llnl
