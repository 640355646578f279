#!/usr/bin/env bash
# Runs many seeds twice and compares the JSON, which must be identical except for wall time and memory.
#
#   scripts/determinism.sh BINARY [FIRST [LAST]]      seeds FIRST..LAST, by default 1..200
#
# The scenario is a shortened quickstart with its faults closer together. Then the swarm generates a configuration from
# each seed, in two processes with other addresses and another environment. Exit 5: a run could not be reproduced.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/determinism.sh" "$1" "use scripts/determinism.sh BINARY [FIRST [LAST]]"; }
case "$#" in 1 | 2 | 3) ;; *) usage "wrong number of arguments" ;; esac
[ -x "$1" ] || usage "'$1' is not an executable file"
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
first="${2:-1}"
last="${3:-200}"
cd "$root"

shortened=(scenarios/quickstart.toml --set run.duration=90s --set run.warm_up=20s
  --set workload.synthetic.clicks=2000 --set dispatcher.unjoinable_age=60s
  --set faults.random.0.mean_interval=20s --set faults.random.1.mean_interval=40s
  --set faults.random.2.mean_interval=20s --set faults.outage.0.at=40s --set faults.outage.0.for=20s)

# One run's JSON without wall time and memory; a failed run is part of the output, so it shows as a difference.
digest() {
  "$binary" run "${shortened[@]}" --seed "$1" --json 2> /dev/null |
    sed -E 's/"(wall_seconds|peak_rss_bytes)":[^,]*,//g' || echo "exit code ${PIPESTATUS[0]}"
}

different=0
bad=0
for seed in $(seq "$first" "$last"); do
  one="$(digest "$seed")"
  two="$(digest "$seed")"
  if [ "$one" != "$two" ]; then
    different=$((different + 1))
    echo "seed $seed differs between two runs; replay: photonsim run ${shortened[*]} --seed $seed" >&2
  fi
  case "$one" in
    *'"violations_total":0'*) ;;
    *)
      bad=$((bad + 1))
      echo "seed $seed did not run clean; replay: photonsim run ${shortened[*]} --seed $seed" >&2
      ;;
  esac
done
echo "$((last - first + 1)) seeds run twice: $different different, $bad not clean"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# swarm_fingerprints FILE: of the generated configurations of these seeds. Failures do not matter here.
swarm_fingerprints() {
  "$binary" fuzz --swarm --seeds "$first..$last" --self-check 0 --shrink 0 --no-coverage-gate --out "$work/$1.db" \
    > /dev/null 2> "$work/$1.err" || true
  "$binary" export "$work/$1.db" "$work/$1.csv" --runs > /dev/null
  # The columns are named; those of cost depend on the machine.
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { print $at["seed"], $at["exit_code"], $at["fingerprint"] }' "$work/$1.csv" | sort -n
}
swarm_fingerprints one > "$work/one"
PADDING="$(printf '%4000s' '')" swarm_fingerprints two > "$work/two"
count="$(wc -l < "$work/one")"
[ "$count" = "$((last - first + 1))" ] ||
  fail 1 "scripts/determinism.sh" "only $count runs finished" "see: $binary fuzz --swarm --seeds $first..$last"
if ! diff "$work/one" "$work/two" >&2; then
  echo "these configurations differ between two processes; replay: photonsim repro --swarm --seed SEED" >&2
  different=$((different + 1))
fi
echo "$count runs in two processes: $([ "$different" = 0 ] && echo "none different" || echo "different, see above")"
[ "$different" = 0 ] || exit 5
[ "$bad" = 0 ] || exit 1
