#!/bin/bash
log() { logger -t prolog "$*"; }
log "start of $SLURM_JOB_ID on $SLURM_CPUS_ON_NODE CPUs"
exit 0
