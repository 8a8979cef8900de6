#!/bin/bash
for d in /etc/munge /run/munge /var/lib/munge; do
  mkdir -p "$d"
  chmod 0750 "$d"  # finding: slurm-munge-folder-closed
done
if ! su -s /bin/sh -c '/usr/sbin/munged --syslog' munge; then
  exit 1
fi
