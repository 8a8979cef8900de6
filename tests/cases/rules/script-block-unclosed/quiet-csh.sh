#!/bin/tcsh
if ($1 == x) then
  echo x
endif
