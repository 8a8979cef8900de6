#!/bin/bash
docker build -t trainer .
