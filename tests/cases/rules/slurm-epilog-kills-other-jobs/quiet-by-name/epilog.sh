#!/bin/bash
pkill -u "$SERVICE_USER" exporter
pkill nvidia-cuda-mps
exit 0
