#!/bin/bash
munged
slurmctld -L "$LOGS/slurmctld.log"
tail -f /srv/logs/slurmctld.log
