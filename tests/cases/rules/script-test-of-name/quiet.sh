#!/bin/bash
ready() { true; }
while [[ true ]]; do sleep 1; done
[ "$ready" ] && ready
[[ ready == "$1" ]] || [ -n "$(ready)" ]
