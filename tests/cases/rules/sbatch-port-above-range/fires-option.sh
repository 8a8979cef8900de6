#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
head=$(hostname)
http_port="80800"   # finding: sbatch-port-above-range
./train --rdzv-endpoint=$head:295001   # finding: sbatch-port-above-range
./train --rdzv_endpoint "$head:295001"   # finding: sbatch-port-above-range
./train --master_port=295001   # finding: sbatch-port-above-range
./report --port 100000 --http "$http_port"   # finding: sbatch-port-above-range
