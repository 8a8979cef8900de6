#!/bin/bash
docker build -t gpu-node:1.0 docker/
docker build -t web docker/
docker build -t pushed docker/
docker tag pushed example.com/pushed:latest
