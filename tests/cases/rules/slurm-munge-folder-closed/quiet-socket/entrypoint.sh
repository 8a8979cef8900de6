#!/bin/bash
chmod 0700 /run/munge
munged --socket=/tmp/munge.socket
