#!/bin/bash
sacct -o JobID,AllocTRES 2>/dev/null || sacct -o JobID,AllocGRES
