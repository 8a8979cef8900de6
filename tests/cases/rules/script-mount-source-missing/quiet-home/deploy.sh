#!/bin/bash
docker run -d --name app -v "$HOME/site/app.yaml:/etc/app.yaml:ro" -v "$DATA/site/b.yaml:/etc/b.yaml" example.com/app:1
