#!/bin/bash
module() { echo "== module $1"; }
module data/prepare
