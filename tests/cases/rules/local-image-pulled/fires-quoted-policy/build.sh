#!/bin/bash
docker build -t trainer:v1 .
