#!/bin/bash
export OMPI_MCA_PML="ucx"   # finding: script-mca-name-in-capitals
export UCX_TLS=rc,cuda_copy
mpirun -np 4 ./solve
