#!/bin/bash
dnf -y install rdma-core
