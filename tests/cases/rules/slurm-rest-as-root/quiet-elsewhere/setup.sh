#!/bin/bash
mkdir -p /etc/systemd/system/slurmrestd.service.d
cp user.conf /etc/systemd/system/slurmrestd.service.d/
