#!/bin/sh
docker compose -f compose.yaml -f gpu/more.yaml up -d
