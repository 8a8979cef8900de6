# Sourced by login shells.
if [[ $(hostname) == 'node*']]; then export A=1; fi   # finding: sbatch-test-unclosed
