#!/bin/bash
SLURM_VERSION=24.05.5
curl -fsSLO "https://download.schedmd.com/slurm/slurm-$SLURM_VERSION.tar.bz2"
