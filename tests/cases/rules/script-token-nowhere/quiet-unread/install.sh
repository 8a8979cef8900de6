#!/bin/bash
DIR=$(dirname "$0")
sed -i "s,__LIC_IP__,$LICIP,g" $DIR/UserIntentions.xml
