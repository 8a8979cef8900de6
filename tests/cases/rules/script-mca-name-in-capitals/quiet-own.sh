#!/bin/bash
OMPI_MCA_OPTS="--mca pml ucx --mca btl ^openib"
OMPI_MCA_EXTRA="--mca coll ^hcoll"
OMPI_MCA_BTL_TCP_IF_INCLUDE=eth0
export OMPI_MCA_btl_tcp_if_include=$OMPI_MCA_BTL_TCP_IF_INCLUDE
mpirun $OMPI_MCA_OPTS -np 8 ./solve
