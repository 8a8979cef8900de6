#!/bin/bash
docker compose exec slurmd hostname   # finding: compose-call-without-file
