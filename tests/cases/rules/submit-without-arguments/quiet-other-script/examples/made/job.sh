#!/bin/bash
set -u
echo "$1"
