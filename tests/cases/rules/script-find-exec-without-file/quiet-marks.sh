#!/bin/bash
find . -name '*.tmp' -exec rm -f \{\} \;
find src -newer .stamp -exec touch .needs-build \; -quit
