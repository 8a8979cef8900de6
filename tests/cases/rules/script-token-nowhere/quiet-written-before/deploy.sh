#!/bin/bash
cp base.tmpl out.yaml
sed "s|__IMAGE__|$IMAGE|" out.yaml | kubectl apply -f -
