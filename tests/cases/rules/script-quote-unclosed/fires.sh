#!/bin/bash
echo "starting   # finding: script-quote-unclosed
echo "done"
