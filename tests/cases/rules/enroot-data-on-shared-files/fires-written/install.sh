#!/bin/bash
cat > /etc/enroot/enroot.conf <<'EOF'
ENROOT_RUNTIME_PATH /run/enroot
ENROOT_DATA_PATH /mnt/lustre/enroot/data   # finding: enroot-data-on-shared-files
EOF
