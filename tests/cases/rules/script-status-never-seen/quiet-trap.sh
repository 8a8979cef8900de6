#!/bin/bash
set -e
trap 'echo $?' ERR
make
if [ $? -ne 0 ]; then echo no; fi
