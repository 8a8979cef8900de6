#!/bin/sh
for i in 1 2 3 4; do slurmd -N "c$i"; done
