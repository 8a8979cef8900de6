#!/bin/bash
mkdir -p /run/munge
chown munge:munge /run/munge
# silenced by: chmod 0711 /run/munge
chmod 0700 /run/munge  # finding: slurm-munge-folder-closed
/usr/sbin/munged --syslog
exec slurmd -D
