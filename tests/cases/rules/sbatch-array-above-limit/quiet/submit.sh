#!/bin/bash
sbatch --array=1-$COUNT --wrap=hostname
