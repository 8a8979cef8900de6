#!/bin/bash
set -e
for f in apps/*.yaml; do
  sed -i "s|YOUR_ENV|${ENV}|g" "$f"   # finding: script-token-nowhere
done
sed -i "s|YOUR_REGION|${REGION}|g" app.yaml
sed -i "s|YOUR_KEY_HERE|${KEY}|" /etc/keys.conf
sed -i -e "s|YOUR_REGION|a|" -e "s|YOUR_ZONE_HERE|b|" app.yaml   # finding: script-token-nowhere
