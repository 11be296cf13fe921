#!/bin/sh
# Harbor's entry. A reward that stands here already was written by someone else: it goes first.
set -u
out=/logs/verifier
tests=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=/usr/local/bin/python3
mkdir -p "$out"
rm -rf "$out/reward.txt" "$out/reward.json" "$out/reward-details.json" "$out/verdict.json"
exec env -i LC_ALL=C.UTF-8 "$python" -I -S "$tests/verify.py" --workspace /app --out "$out"
