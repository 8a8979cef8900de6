#!/bin/bash
docker build -t trainer:latest docker/
minikube image load trainer:latest
