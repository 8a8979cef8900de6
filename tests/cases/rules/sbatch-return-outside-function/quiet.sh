#!/bin/bash
#SBATCH --time=1:00:00 --ntasks=1
check() {
  [ -n "$1" ] || return 1
}
function look {
  return 0
}
check "$1" || exit 1
[ -n "$2" ] || return 1 2>/dev/null || exit 1
[ -n "$3" ] || return 1 || exit 1
[ -n "$4" ] || return 1 2>/dev/null
look
python test.py "$1"
