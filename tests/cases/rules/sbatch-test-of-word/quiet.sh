#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=01:00:00
#SBATCH --mem=8G
./simulate
status=$?
RESUME=false
[ $status == 0 ] || exit 1
if [ "$RESUME" ]; then echo resumed; fi
if [ ! "${RESUME}" ]; then echo new; fi
if [[ -z $RESUME && $status == 0 ]]; then echo new; fi
if [ "$(hostname)$RESUME" ]; then echo here; fi
# What another program fills in before the job is submitted, and a word that is no variable here.
if [ {{resume}}==true ]; then ./again; fi
if [ @RESUME@==true ]; then ./again; fi
if [ LATER ]; then ./again; fi
if [ --file=$RESUME ]; then ./again; fi
while [ 1 ]; do
  ./step || break
done
while [ true ]; do
  ./step || break
done
