#!/usr/bin/env bash
# fp.sh BINARY [LAST [JOBS [FIRST]]]: seed, exit code, fingerprint of swarm configurations
set -e
bin=$(realpath "$1"); last=${2:-2000}; jobs=${3:-2}; first=${4:-1}
d=$(mktemp -d); trap 'rm -rf "$d"' EXIT
cd "$d"
"$bin" fuzz --swarm --seeds "$first..$last" --self-check 0 --shrink 0 --no-coverage-gate -j "$jobs" --out o.db > log 2>&1 || true
"$bin" export o.db o.csv --runs >> log 2>&1 || { tail -5 log >&2; exit 1; }
python3 - <<'P'
import csv
rows=list(csv.DictReader(open('o.csv')))
for r in sorted(rows,key=lambda r:int(r['seed'])): print(r['seed'],r.get('exit_code',''),r.get('fingerprint',''))
P
