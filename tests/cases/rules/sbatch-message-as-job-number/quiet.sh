#!/bin/bash
first=$(sbatch --parsable --time=1:00:00 --wrap ./prepare)
second=$(sbatch --time=1:00:00 --dependency=afterok:$first --wrap ./train | awk '{print $4}')
third=$(sbatch --time=1:00:00 --dependency=afterok:$second --wrap ./test)
third=${third##* }
fourth=$(sbatch --time=1:00:00 --dependency=afterok:$third --wrap ./report)
fifth=$(sbatch --time=1:00:00 --dependency=afterok:${fourth##* } --wrap ./report)
echo "sbatch --dependency=afterok:$fifth tells of the end"
# sbatch --dependency=afterok:$fifth later.sh
options=(--parsable --time=1:00:00)
sixth=$(sbatch "${options[@]}" --wrap ./prepare)
seventh=$(sbatch $SITE_OPTIONS --dependency=afterok:$sixth --wrap ./train)
sbatch --time=1:00:00 --dependency=afterok:$seventh --wrap ./report
