#!/bin/bash
mkdir -p /opt/slurm/etc/plugstack.conf.d
# silenced by: echo 'include /opt/slurm/etc/plugstack.conf.d/*' | sudo tee /opt/slurm/etc/plugstack.conf
echo 'include /opt/slurm/etc/plugstack.d/*' | sudo tee /opt/slurm/etc/plugstack.conf   # finding: plugstack-include-misses
sudo ln -fs /usr/local/share/pyxis/pyxis.conf /opt/slurm/etc/plugstack.conf.d/pyxis.conf
