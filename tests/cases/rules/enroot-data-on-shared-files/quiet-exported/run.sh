#!/bin/bash
export ENROOT_DATA_PATH=/fsx/enroot
