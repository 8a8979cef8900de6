#!/bin/bash
set -e
for f in apps/*.yaml; do
  sed -i "s|YOUR_ENV|${ENV}|g" "$f"
done
sed -i "s|YOUR_REGION|${REGION}|g" app.yaml
sed -i "s|YOUR_KEY_HERE|${KEY}|" /etc/keys.conf
