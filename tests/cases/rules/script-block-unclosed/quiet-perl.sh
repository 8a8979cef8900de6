#!/bin/sh
eval 'exec perl -S $0 ${1+"$@"}'
  if 0;
print "hello\n" if 1;
