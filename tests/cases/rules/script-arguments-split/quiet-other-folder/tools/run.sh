#!/bin/bash
python say.py "$@"
