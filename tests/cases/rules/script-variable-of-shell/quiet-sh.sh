#!/bin/sh
UID=$(id -u)
export UID
