#!/bin/bash
set -euo pipefail
set +u
NAME="$1"
set -u
echo "${NAME:-none}"
