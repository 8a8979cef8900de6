#!/usr/bin/env python3
import sys
TEMPLATE = """
#SBATCH --nodes=4
"""
