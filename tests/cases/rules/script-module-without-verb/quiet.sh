#!/bin/bash
module purge
module load PyTorch/2.1.2-foss-2023a
module -q load CUDA/12.1.1
module use /opt/modules/all
ml matplotlib/3.7.2
module $MODULE/1.0
