#!/bin/bash
install -d -o root -g hpcusers -m 2775 /shared/enroot/cache
