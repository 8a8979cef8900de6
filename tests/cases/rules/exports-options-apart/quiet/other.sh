#!/bin/sh
echo "/shared 172.20.0.0/24 (rw,sync)"
