#!/usr/bin/env bash
# Fuzzes everything that reads bytes from files, from the network or from the user, with libFuzzer.
#
#   scripts/fuzz_inputs.sh [SECONDS [TARGET...]]      each target for 600 s by default, two at a time; all targets
#
# Builds preset fuzz (clang-14 and its runtime: scripts/setup.sh --ci). Begins with the seeds and former findings of
# tests/fuzz, and with what earlier runs have collected in build/fuzz/found/TARGET; new crashes are left in
# build/fuzz/crashes. One line per target on stdout: executions, coverage, crashes. Exit 1: something crashed, took too
# long or asked for too much memory.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() { fail 2 "scripts/fuzz_inputs.sh" "$1" "use scripts/fuzz_inputs.sh [SECONDS [TARGET...]]"; }
seconds="${1:-600}"
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || usage "'$seconds' is no number of seconds"
shift || true
cd "$root"
mapfile -t known < <(cd tests/fuzz/corpus && printf '%s\n' *)
targets=("$@")
[ "$#" -gt 0 ] || targets=("${known[@]}")
for target in "${targets[@]}"; do
  [ -d "tests/fuzz/corpus/$target" ] || usage "there is no target '$target'; there are: ${known[*]}"
done

build fuzz "${targets[@]/#/fuzz_}" photonsim
work="$root/build/fuzz"
mkdir -p "$work/crashes" "$work/logs"

# The fuzzer's dictionary: every key of the scenario language, and the other targets' tokens.
words() {
  case "$1" in
    scenario_text | scenario_override)
      "$work/photonsim" explain | tr '.' '\n' | sort -u
      cat tests/fuzz/scenario_words.txt
      ;;
    trace_csv) printf '%s\n' query click at ',' '"' '""' '-' '.' 0 1 ;;
  esac | sed -e '/^$/d' -e 's/[\\"]/\\&/g' -e 's/.*/"&"/'
}

# fuzz TARGET: leaves its line in logs/TARGET.line; the exit is the fuzzer's.
fuzz() {
  local target="$1" log="$work/logs/$1.log" found="$work/found/$1" options=() code=0 executions
  local edges crashes
  mkdir -p "$found"
  words "$target" > "$work/logs/$target.dict"
  [ ! -s "$work/logs/$target.dict" ] || options+=("-dict=$work/logs/$target.dict")
  local seeds=("tests/fuzz/corpus/$target")
  [ ! -d "tests/fuzz/findings/$target" ] || seeds+=("tests/fuzz/findings/$target")
  local before
  before="$(find "$work/crashes" -name "$target-*" | wc -l)"
  "$work/targets/fuzz_$target" "-max_total_time=$seconds" -timeout=25 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
    -max_len=8192 -print_final_stats=1 "-artifact_prefix=$work/crashes/$target-" "${options[@]}" "$found" \
    "${seeds[@]}" > "$log" 2>&1 || code=$?
  executions="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  edges="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
  crashes=$(($(find "$work/crashes" -name "$target-*" | wc -l) - before))
  printf '%-18s %6s s %12s executions %7s edges %4s crashes\n' "$target" "$seconds" "${executions:-?}" "${edges:-?}" \
    "$crashes" > "$work/logs/$target.line"
  return "$code"
}

bad=0
declare -A running=()  # by process
# finish: waits for one of them and reports it.
finish() {
  local process="" code=0 target
  wait -n -p process "${!running[@]}" || code=$?
  target="${running[$process]}"
  unset "running[$process]"
  if [ "$code" != 0 ]; then
    bad=1
    say "$target: $(grep -E -m 1 'check failed|runtime error|ERROR: ' "$work/logs/$target.log" ||
      echo "it ended with $code"), in build/fuzz/logs/$target.log"
  fi
  cat "$work/logs/$target.line"
}
for target in "${targets[@]}"; do
  [ "${#running[@]}" -lt 2 ] || finish
  fuzz "$target" &
  running[$!]="$target"
done
while [ "${#running[@]}" -gt 0 ]; do finish; done

if [ "$bad" != 0 ]; then
  fail 1 "scripts/fuzz_inputs.sh" "a target broke" \
    "replay: build/fuzz/targets/fuzz_TARGET FILE; mend it, and put the file into tests/fuzz/findings/TARGET"
fi
