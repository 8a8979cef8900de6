if [ "$(id -gn)" = guests ]; then
  export SBATCH_TIMELIMIT=01:00:00
fi
for_guests() {
export SBATCH_TIMELIMIT=01:00:00
}
[ -n "$GUEST" ] && export SBATCH_TIMELIMIT=01:00:00
case $USER in
guest*) export SBATCH_TIMELIMIT=01:00:00 ;;
esac
