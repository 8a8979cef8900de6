#!/bin/sh
scp fabric:/srv/topology.conf /etc/slurm/topology.conf
