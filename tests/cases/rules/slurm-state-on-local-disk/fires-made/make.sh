#!/bin/bash
mount -a
mkdir -p /var/spool/slurmctld
chown slurm: /var/spool/slurmctld
