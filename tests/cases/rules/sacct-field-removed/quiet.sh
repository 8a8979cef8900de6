#!/bin/bash
sacct -j "$1" --format=JobID,State,Elapsed,ReqTRES -X
# squeue and others call it otherwise: ReqGRES
echo "ReqGRES"
