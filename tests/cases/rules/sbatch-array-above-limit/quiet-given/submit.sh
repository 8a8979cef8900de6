#!/bin/bash
sbatch --array=1-3 one.sbatch
