#!/bin/bash
export OMPI_MCA_pml="ucx"
export OMPI_MCA_btl_tcp_if_include=eth0
export MY_OMPI_MCA_PML=ucx
mpirun -np 4 ./solve
