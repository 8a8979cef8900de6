#!/bin/bash
find . -maxdepth 1 -exec kubectl annotate -name pods/x {} \;
