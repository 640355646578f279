#!/usr/bin/env bash
# Runs a small study and a small campaign under mpirun, with one rank killed, and compares them with one process.
#
#   scripts/try_mpi.sh BIN [STUDY [CONFIGURATIONS]]
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program="$(realpath "$1")"
configurations="${3:-40}"
cd "$root"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
study="${2:-$folder/study.toml}"
[ "$#" -ge 2 ] || cat > "$study" << EOF
base = "$root/scenarios/registry/quiet.toml"
[set]
"run.duration" = "60s"
"workload.registry.rate" = 300
[grid]
"registry.shards" = [1, 2, 4]
[replications]
min = 4
EOF
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { mpirun --oversubscribe --bind-to none -n 4 "$program" "$@"; }

"$program" sweep "$study" --json > "$folder/one.json" 2> /dev/null
ranks sweep "$study" --out "$folder/killed.db" --json > "$folder/killed.json" 2> "$folder/killed.log" &
job="$!"
# Rank 2 has executed a run: the file has some, and it dies in another.
for _ in $(seq 600); do
  if [ -s "$folder/killed.db" ]; then break; fi
  sleep 0.05
done
victim="$(rank_process OMPI_COMM_WORLD_RANK=2 "sweep $study --out $folder/killed.db")" ||
  fail 1 "scripts/try_mpi.sh" "there is no rank 2 to kill" "read: $(cat "$folder/killed.log")"
kill -9 "$victim"
wait "$job" || fail 1 "the study with a killed rank" "it failed" "read: $(cat "$folder/killed.log")"
grep "rank 2 on .* is gone, and its run goes to another; 2 ranks left" "$folder/killed.log" >&2 ||
  fail 1 "the study with a killed rank" "rank 0 has not noticed it" "read: $(cat "$folder/killed.log")"
cmp "$folder/one.json" "$folder/killed.json" ||
  fail 1 "the study with a killed rank" "it reports other results than one process" "compare the two"
say "a study under 4 ranks, one killed: as by one process"

# Without wall times, and without what the file had before.
# fuzz NAME COMMAND...: a campaign's rows, in the order of seeds. It may fail: then both do.
fuzz() {
  local name="$1"
  shift
  "$@" fuzz --swarm --seeds "1..$configurations" --out "$folder/$name.db" > /dev/null 2> "$folder/$name.log" || true
  "$program" export "$folder/$name.db" --csv "$folder/$name" > /dev/null 2>&1
  # Without the number of the row, and the processor's time.
  sed -E 's/^[^,]*,//; s/,[^,]*$//' "$folder/$name/runs.csv" | sort > "$folder/$name.rows"
  [ "$(wc -l < "$folder/$name.rows")" -gt "$configurations" ] ||
    fail 1 "the campaign" "it has too few runs" "read: $(cat "$folder/$name.log")"
}
fuzz alone "$program"
fuzz ranks ranks
cmp "$folder/alone.rows" "$folder/ranks.rows" ||
  fail 1 "the campaign" "it reports other results than one process" "compare the two"
say "a campaign of $configurations configurations under 4 ranks: as by one process"
