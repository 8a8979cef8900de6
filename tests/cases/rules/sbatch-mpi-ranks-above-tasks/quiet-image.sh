#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --cpus-per-task=24 --gres=gpu:2 --time=1:00:00
singularity run --nv chroma.sif mpirun -n 2 chroma -i test.xml
