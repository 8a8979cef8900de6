devices=$(answer "${smi[@]}" -L) || broken "nvidia-smi fails or hangs"
seen=$(grep -c '^GPU ' <<<"$devices")
((seen >= gpus)) || broken "$seen of $gpus GPUs answer"

# Memory whose broken rows could not be replaced, or are replaced at the next reset. GPUs that cannot do so say [N/A].
rows=$(answer "${smi[@]}" \
  --query-remapped-rows=remapped_rows.failure,remapped_rows.pending --format=csv,noheader)
if grep -Eq '(^|, *)(1|Yes)( *,|$)' <<<"$rows"; then
  broken "a GPU has failed or pending row remaps"
fi

# A rail that is down slows down every job across it, and no job says so.
if ((ports > 0)); then
  active=$(answer grep -l ACTIVE "$classes"/infiniband/*/ports/*/state | wc -l)
  ((active >= ports)) || broken "$active of $ports network ports are active"
fi
