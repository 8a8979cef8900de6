#!/bin/bash
mkdir -p /etc/systemd/system/slurmd.service.d
printf '[Service]\nDelegate=yes\n' > /etc/systemd/system/slurmd.service.d/delegate.conf
