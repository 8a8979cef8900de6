#!/bin/bash
sbatch serve_phi3.sh
