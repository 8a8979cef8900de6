# Runs a command and prints what it says, until the deadline. A process that hangs in a driver cannot be killed, and
# `timeout` would wait for it: it is left behind instead.
answer() {
  local out pid status
  out=$(mktemp) || return 1
  "$@" >"$out" 2>/dev/null </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if ((SECONDS >= deadline)); then
      kill -KILL "$pid" 2>/dev/null
      rm -f "$out"
      return 124
    fi
    sleep 0.1
  done
  wait "$pid"
  status=$?
  cat "$out"
  rm -f "$out"
  return "$status"
}
