#!/bin/sh
pool=gpu_pool
echo "$pool"
