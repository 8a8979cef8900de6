#!/bin/bash
munged
slurmctld
tail -f /var/log/slurm/slurmdbd.log
