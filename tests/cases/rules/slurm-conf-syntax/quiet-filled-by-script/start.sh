#!/bin/sh
sed -i "s/ControlMachine=.*/ControlMachine=$(hostname -s)/" /etc/slurm/slurm.conf
