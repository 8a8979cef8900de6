#!/bin/bash
sed -i "s/^SlurmctldHost=.*/SlurmctldHost=$(hostname)/" /etc/slurm/slurm.conf
exec "$@"
