#!/bin/bash
#SBATCH --mem=10G
hostname
