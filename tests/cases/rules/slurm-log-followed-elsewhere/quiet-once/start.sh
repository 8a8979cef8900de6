#!/bin/bash
munged
slurmctld
tail -n 5 /var/log/slurm/slurmctld.log
