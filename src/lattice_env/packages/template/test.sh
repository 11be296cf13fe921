#!/bin/sh
# lattice-env canary 4b8f1a6e-93d2-4c57-a0e8-6d2f7c19b35a: tasks of a benchmark, not to be trained on unasked
# Harbor's entry. It may run where an agent was root: what that one left goes first, its processes and its rewards.
set -u
PATH=/usr/bin:/bin
export PATH
out=/logs/verifier
tests=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=/usr/local/bin/python3

# Sets state, parent and session of a process; all empty for one that is gone, or whose name breaks the line.
look() {
  line=
  { read -r line <"/proc/$1/stat"; } 2>/dev/null
  case $line in *') '*) ;; *) line= ;; esac
  set -f
  # shellcheck disable=SC2086 # it is split into its fields
  set -- ${line##*) }
  set +f
  state=${1:-} parent=${2:-} session=${4:-}
}

# Kills the processes of other sessions, which could write a reward after ours. Spared are our ancestors and the
# session of the first process, which keep the container alive. Outside of a container, in the first namespace of
# processes, nobody is ours to kill.
end_others() {
  [ "$(readlink /proc/self/ns/pid)" != "pid:[4026531836]" ] || return 0
  look 1
  spared=" 1 " first=$session process=$$
  while [ "${process:-0}" -gt 1 ]; do
    spared="$spared$process "
    look "$process"
    process=$parent
  done
  look "$$"
  own=$session
  for _ in 1 2 3 4 5 6 7 8; do
    killed=
    for place in /proc/[0-9]*; do
      process=${place#/proc/}
      case $spared in *" $process "*) continue ;; esac
      look "$process"
      case $session in "$own" | "$first") continue ;; esac
      [ "$state" != Z ] && kill -9 "$process" 2>/dev/null && killed=1
    done
    [ -n "$killed" ] || return 0
  done
}

end_others
mkdir -p "$out"
rm -rf "$out/reward.txt" "$out/reward.json" "$out/reward-details.json" "$out/verdict.json"
exec env -i LC_ALL=C.UTF-8 "$python" -I -S "$tests/verify.py" --workspace /app --out "$out"
