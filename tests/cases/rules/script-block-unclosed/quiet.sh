#!/bin/bash
# if this were read, the for below would be open
usage() {
  cat <<EOF
if you want more, do
$(hostname)
EOF
}
function start
{
  echo if then done fi { case
}
args=(
  if # a word
  "done (1"
)
for ((i = 0; i < $((2 * (1 + 1))); i++)); do echo "${args[i]}"; done
for host; do echo "$(for x in a b; do echo "$x)"; done)"; done
for n in 1 2
do
  case $n in
    (1) ;;
    if | "done") echo 'it'\''s' ;;&
    *.tar.[gx]z) ;;
  esac
done >/dev/null 2>&1 <<<"$1"
[[ $1 =~ ^(a|b)\)$ && ( -f x || -f y ) ]] && { start; }
(( $# > 1 )) && (cd /tmp; ls) || true
while read -r line; do :; done < <(find . -name '*.sh')
echo $'it\'s' `echo \`date\``
if ! true; then :; elif false; then :
else :; fi
until time true; do :; done
text=$(cat <<-INNER
	if this were read, do
	INNER
)
for v in a b; do
  [ -n "$v" ] && { c=${c//\$$v/x}; c=${c//\${$v/\$\{$v}; }
done
