#!/bin/bash
# finding: script-option-behind-image
singularity exec tools.sif -B data:/data make-data --step 0
