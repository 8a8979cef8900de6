#!/bin/bash
cp scripts/old/train_cifar.py scripts/
