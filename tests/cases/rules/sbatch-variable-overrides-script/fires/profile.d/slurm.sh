# defaults of the site
export SBATCH_ACCOUNT=lab
# silenced by: export SINFO_FORMAT="%P"
export SBATCH_TIMELIMIT=01:00:00   # finding: sbatch-variable-overrides-script
