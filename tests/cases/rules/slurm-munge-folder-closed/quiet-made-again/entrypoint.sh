#!/bin/bash
chmod 0700 /run/munge
rm -rf /run/munge
mkdir -p /run/munge
munged
