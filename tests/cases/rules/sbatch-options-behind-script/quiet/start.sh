#!/bin/bash
sbatch --time=2-0 train.sbatch --nodes=4
