#!/bin/sh
# /shared 172.20.0.0/24 (rw)
echo "/shared 172.20.0.0/24(rw,sync,no_root_squash)" > /etc/exports
echo "/open (rw)" >> /etc/exports
echo "/shared to all nodes (read only)"
exportfs -ra
