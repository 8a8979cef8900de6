#!/bin/bash
install -d -m 0700 -o munge -g munge /etc/munge /run/munge /var/log/munge  # finding: slurm-munge-folder-closed
gosu munge /usr/sbin/munged && exec slurmctld -D
