#!/bin/bash
sbatch $OPTIONS one.sbatch
