#!/bin/bash
set -e
trap "exit 0" ERR
pkill jupyter-lab
