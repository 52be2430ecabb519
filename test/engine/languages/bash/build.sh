#!/usr/bin/env bash
# Docs.
source ./lib.sh
. "$DIR/other.sh"
export PATH="$HOME/bin" NAME=3
readonly CONST=4
declare -a ARR=(1 2)
GLOBAL=$(compute 1 2)
# Does things.
build() {
  local x=$1 y
  x=3; if [ "$x" = 3 ] && helper "$GLOBAL"; then run_it | grep foo; elif true; then :; fi
  for f in *.sh; do echo "$f"; done
  while read -r l; do echo "${l}"; done < file
  case "$x" in a) one;; b) two;; esac
  curl https://x.com/y; echo ${CONST:-2}; return 0
}
function deploy { build --fast; }
alias ll='ls -l'
build && deploy
trap cleanup EXIT
cat <<X
$NAME
X
@test "adds" {
  run build
  [ 1 = 1 ]
}
