#!/bin/bash
munged
slurmctld
echo "see: tail -f /var/log/slurm/slurmctld.log"
