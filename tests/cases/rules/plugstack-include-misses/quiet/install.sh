#!/bin/bash
echo "include $PREFIX/etc/plugstack.conf.d/*" > $PREFIX/etc/plugstack.conf
ln -fs /usr/local/share/pyxis/pyxis.conf $PREFIX/etc/plugstack.conf.d/pyxis.conf
