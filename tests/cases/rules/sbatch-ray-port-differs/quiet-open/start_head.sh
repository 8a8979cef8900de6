#!/bin/bash
ray start --head --port="$RAY_PORT"
sleep infinity
