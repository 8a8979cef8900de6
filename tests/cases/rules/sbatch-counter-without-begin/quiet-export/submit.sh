#!/bin/bash
sbatch --export=ALL,CHUNK=0 job.sh
