#!/bin/bash
cat > /etc/enroot/enroot.conf <<'EOF'
ENROOT_CACHE_PATH /var/cache/enroot
ENROOT_DATA_PATH /var/lib/enroot/data
EOF
install -d -m 1777 /var/cache/enroot /var/lib/enroot/data
