#!/bin/bash
sed -i '/account.*pam_slurm_adopt.so/d' /etc/pam.d/sshd
