#!/bin/bash
export NCCL_DEBUG=WARN
export NCCL_DEBUG_FILE=/scratch/logs/nccl.log
./all_reduce_perf -g 8
