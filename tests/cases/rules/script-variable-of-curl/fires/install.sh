#!/bin/bash
INSTALL_K3S_EXEC="--disable traefik" curl -sfL https://get.k3s.io | sh -
K3S_TOKEN=secret K3S_URL=https://server:6443 \
  curl -sfL https://get.k3s.io | sudo sh -
