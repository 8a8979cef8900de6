#!/bin/bash
dbus-daemon --system
exec "$@"
