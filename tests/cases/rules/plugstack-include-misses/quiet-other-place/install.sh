#!/bin/bash
echo 'include /etc/slurm/plugstack.conf.d/*' > /apps/slurm/plugstack.conf
ln -s /usr/local/share/pyxis/pyxis.conf /apps/slurm/plugstack.conf.d/pyxis.conf
