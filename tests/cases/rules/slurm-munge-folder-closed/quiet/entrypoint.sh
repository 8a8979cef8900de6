#!/bin/bash
for d in /etc/munge /run/munge /var/lib/munge; do
  mkdir -p "$d"
  chmod 0700 "$d"
done
chmod 0755 /run/munge
chmod 0700 /var/log/munge
echo "munged comes next"
/usr/sbin/munged --syslog
