#!/bin/bash
sudo sed -i "s/NodeName=workers/NodeName=worker-[1-$1]/" /etc/slurm/slurm.conf
