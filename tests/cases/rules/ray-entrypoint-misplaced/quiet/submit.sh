#!/bin/sh
ray job submit --working-dir . -- python jobs/tune.py
ray job submit --working-dir jobs -- python tune.py
ray job submit -- python /app/src/tune.py
ray job submit --working-dir s3://code/jobs.zip -- python src/tune.py
