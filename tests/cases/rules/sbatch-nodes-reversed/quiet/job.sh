#!/bin/bash
#SBATCH --nodes=8
hostname
