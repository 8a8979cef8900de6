#!/bin/bash
#SBATCH --nodes 4   # eight
hostname
