#!/bin/bash
#SBATCH --nodes={nodes}
#SBATCH --time={time}
hostname
