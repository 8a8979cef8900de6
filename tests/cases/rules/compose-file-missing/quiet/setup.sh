#!/bin/sh
cp keys.conf.example deploy/keys.conf
