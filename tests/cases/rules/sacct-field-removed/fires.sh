#!/bin/bash
# finding: sacct-field-removed
sacct -j "$1" --format=JobID,State,Elapsed,ReqGRES -X
