#!/bin/bash
# finding: script-find-name-of-path
find . -type f -not -name "*/cache/*" -exec wc -l {} +
