#!/bin/bash
[[ -n $HEAD ]] && [ -n "$HEAD" ] && [ -n ${HEAD:-x} ] && [ -z $HEAD ]
[ -n $# ] && [ -n x$HEAD ] && [ -n ${#HEAD} ]
