#!/bin/bash
head=$1
ray start --address=$head:6379 --block
