#!/bin/bash
export UID=$(id -u)   # finding: script-variable-of-shell
RANDOM=True   # finding: script-variable-of-shell
GROUPS=8   # finding: script-variable-of-shell
docker compose up
