#!/bin/bash
make
if [ $? -ne 0 ]; then echo no; fi
set -e
check() {
  make
  if [ $? -ne 0 ]; then echo no; fi
}
check || true
make || rc=$?
if [ $? -ne 0 ]; then echo no; fi
make 2>&1 | tee log
if [ $? -ne 0 ]; then echo no; fi
test -f x &&
make
if [ $? -ne 0 ]; then echo no; fi
if make; then :
fi
if [ $? -ne 0 ]; then echo no; fi
make || \
  false
if [ $? -ne 0 ]; then echo no; fi
cat <<EOF
make
if [ $? -ne 0 ]; then echo no; fi
EOF
(make
if [ $? -ne 0 ]; then echo no; fi)
