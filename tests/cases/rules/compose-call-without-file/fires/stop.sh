#!/bin/bash
docker compose -f docker-compose-nodes.yml down   # finding: compose-call-without-file, guide-file-missing
