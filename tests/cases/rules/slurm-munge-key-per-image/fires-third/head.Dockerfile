FROM rockylinux:9
RUN dnf -y install munge slurm-slurmctld
RUN dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 && chown munge /etc/munge/munge.key
