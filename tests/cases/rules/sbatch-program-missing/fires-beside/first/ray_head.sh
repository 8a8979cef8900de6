#!/bin/bash
ray start --head --node-ip-address="$1" --port="$2"
