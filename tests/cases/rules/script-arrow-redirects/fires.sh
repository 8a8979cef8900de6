#!/bin/bash
echo $(hostname) -> $(cat /etc/id)   # finding: script-arrow-redirects
echo rank $RANK => node $NODE   # finding: script-arrow-redirects
mpirun -N 1 bash -c 'echo $(hostname) -> $(cat /etc/id)'   # finding: script-arrow-redirects
