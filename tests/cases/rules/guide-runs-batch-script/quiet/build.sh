#!/bin/bash
make all_reduce_perf
