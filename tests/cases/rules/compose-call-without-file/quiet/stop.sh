#!/bin/bash
docker compose -f docker-compose-node.yml down
docker compose -f "$1" up -d
docker compose version
