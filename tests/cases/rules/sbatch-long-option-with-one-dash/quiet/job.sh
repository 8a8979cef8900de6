#!/bin/bash
#SBATCH --exclusive
hostname
