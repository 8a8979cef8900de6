#!/bin/bash
rpmbuild -ta --with nvml slurm-24.05.4.tar.bz2
