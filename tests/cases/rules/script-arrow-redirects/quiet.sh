#!/bin/bash
echo "a -> b" 'a => b' a \-\> b
echo - > out
bash -c 'echo "a -> b"'
[[ a -nt b ]] && kubectl apply -f - <<<"$1"
