#!/bin/bash
GPUS='"device=0,1"'
docker run --rm --gpus ${GPUS} image
