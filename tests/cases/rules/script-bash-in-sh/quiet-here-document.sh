#!/bin/sh
cat <<EOF
<<< Build finished >>>
EOF
