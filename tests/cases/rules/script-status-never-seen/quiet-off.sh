#!/bin/bash
set -e
set +e
make
if [ $? -ne 0 ]; then echo no; fi
