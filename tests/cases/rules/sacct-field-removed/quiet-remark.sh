#!/bin/bash
# Slurm up to 20.02: sacct --format=JobID,ReqGRES
sacct --format=JobID,State
sacctmgr show tres format=type,name,id
echo "columns: AllocGRES"
