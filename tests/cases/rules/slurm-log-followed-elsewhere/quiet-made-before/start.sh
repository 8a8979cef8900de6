#!/bin/bash
slurmctld
touch /var/log/slurm/slurmctld.log && tail -f /var/log/slurm/slurmctld.log
