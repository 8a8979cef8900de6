#!/bin/bash
[ -e docker-compose.yml ] || cp docker-compose.example.yml docker-compose.yml
docker compose up -d
