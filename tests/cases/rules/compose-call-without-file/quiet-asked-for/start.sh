#!/bin/bash
if [ -f docker-compose.local.yml ]; then
  docker compose -f docker-compose.yml -f docker-compose.local.yml up -d
else
  docker compose up -d
fi
docker compose -f docker-compose.yml run --rm tools kubectl apply -f deployment.yaml
