#!/bin/bash
SSH="ssh -o StrictHostKeyChecking=no n1"
CMD="python -c 'import torch; print(1)'"
$SSH $CMD
pdsh -w n1,n2 $CMD
watch -n 5 $CMD
