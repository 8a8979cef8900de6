#!/bin/bash
#SBATCH --time=00:10:00 --output=%x-%j.out
python3 -m tools.make
