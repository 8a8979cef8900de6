export SBATCH_ACCOUNT=`id -gn`
export SBATCH_TIMELIMIT=$(cat /etc/limit)
export SBATCH_TIMELIMIT="${LIMIT:-01:00:00}"
