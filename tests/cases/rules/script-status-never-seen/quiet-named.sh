#!/bin/bash
set -e
set +o errexit
make
if [ $? -ne 0 ]; then echo no; fi
