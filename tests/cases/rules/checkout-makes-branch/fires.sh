#!/bin/bash
git clone https://github.com/openucx/ucx
cd ucx
git checkout -b v1.18.0   # finding: checkout-makes-branch
