#!/bin/bash
echo "two
lines" 'and
two' # it's fine
cat <<'EOF'
it's a text
EOF
echo it\'s $'\'' "\""
docker ps --format '{{.Names}}'
