#!/bin/bash
sed "s|CONTROL_PLANE_URL_PLACEHOLDER|${URL}|g" spoke.yaml | kubectl apply -f -
sed "s|CONTROL_PLANE_URL_PLACEHOLDER|${URL}|g" hub.yaml | kubectl apply -f -
