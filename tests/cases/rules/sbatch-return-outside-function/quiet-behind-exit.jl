#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
#=
julia a.jl
exit
=#
function f(x)
    y = x
    return y
end
