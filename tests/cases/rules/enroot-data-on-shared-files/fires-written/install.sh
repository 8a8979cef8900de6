#!/bin/bash
cat > /etc/enroot/enroot.conf <<'EOF'
ENROOT_RUNTIME_PATH /run/enroot/user-$(id -u)
ENROOT_DATA_PATH /mnt/lustre/enroot/data   # finding: enroot-data-on-shared-files
EOF
