#!/bin/bash
# finding: sacct-field-removed
sacct -o jobid,allocgres -j "$1"
