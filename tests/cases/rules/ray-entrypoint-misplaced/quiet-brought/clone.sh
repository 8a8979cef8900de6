#!/bin/sh
git clone https://git.example/samples.git
cd samples/ray
ray job submit --working-dir . -- python samples/train.py
