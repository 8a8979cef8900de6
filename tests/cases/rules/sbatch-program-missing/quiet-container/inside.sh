#!/bin/bash
python convert_weights.py
