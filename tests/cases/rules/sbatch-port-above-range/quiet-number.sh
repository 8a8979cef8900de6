#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
head=$(hostname)
METRICS_PORT=100000
METRICS_PORT=$((METRICS_PORT % 10000 + 20000))
RANGE_PORTS=100000
HTTP_PORT=65535
./train --rdzv_endpoint=$head:$METRICS_PORT
./report --ports $RANGE_PORTS --port=$HTTP_PORT$SLURM_RESTART_COUNT --port 80
./report --port=100000$SLURM_RESTART_COUNT --port "$HTTP_PORT"
