#!/bin/sh
echo "/shared 172.20.0.0/24 (rw,sync,no_root_squash)" > /etc/exports   # finding: exports-options-apart
exportfs -ra
