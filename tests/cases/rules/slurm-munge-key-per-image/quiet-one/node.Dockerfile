FROM head
RUN dnf -y install slurm-slurmd
