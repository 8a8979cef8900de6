#!/bin/bash
#SBATCH --nodes=$${nodes}
#SBATCH --mem=$${mem}
#SBATCH --mem-per-cpu=$${mem_per_cpu}
$${pre_rocket}
$${rocket_launch}
