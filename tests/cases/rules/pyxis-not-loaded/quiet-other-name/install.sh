#!/bin/bash
git clone https://github.com/NVIDIA/pyxis.git /opt/pyxis
cd /opt/pyxis || exit 1
make && make install
