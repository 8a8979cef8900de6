echo "this is $(hostname)"
