#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --time=1:00:00
./solve &
PID=$!
while [ -d "/proc/$PID" ]; do :; done
echo done
