#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
./simulate
status=$?
RESUME=false
[[ "$status"!="0" ]] && exit 1   # finding: sbatch-test-of-word
if [[ $status=~^1 && $RESUME = true ]]; then exit 2; fi   # finding: sbatch-test-of-word
if [ ! $RESUME=true ]; then exit 3; fi   # finding: sbatch-test-of-word
[ -z"$RESUME" ] && exit 4   # finding: sbatch-test-of-word
[[ !$RESUME ]] && exit 4   # finding: sbatch-test-of-word
test $(hostname)=login && exit 5   # finding: sbatch-test-of-word
if [[ RESUME ]]; then ./again; fi   # finding: sbatch-test-of-word
if [ SLURM_RESTART_COUNT ]; then ./again; fi   # finding: sbatch-test-of-word
if [ false ]; then ./never; fi   # finding: sbatch-test-of-word
