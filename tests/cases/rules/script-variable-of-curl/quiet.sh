#!/bin/bash
curl -sfL https://get.k3s.io | INSTALL_K3S_EXEC="--disable traefik" sh -
https_proxy=http://proxy:3128 curl -sfL https://get.k3s.io | sh -
export INSTALL_K3S_VERSION=v1.34.1+k3s1; curl -sfL https://get.k3s.io | sh -
TOKEN=$(curl -s https://example.com/token | jq -r .token)
NAME=x curl -s https://example.com/list | grep sh
# INSTALL_K3S_EXEC=a curl -sfL https://get.k3s.io | sh -
