#!/bin/bash
munged
slurmctld
tail -f ${LOGS}/slurmctld.log
