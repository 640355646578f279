#!/usr/bin/env bash
# Compares the instructions that fixed runs execute with recorded figures, or records them anew. Noise does not reach
# instruction counts, so a small loss of speed shows.
#
#   scripts/instructions.sh [BUILD] [--update] [--runs N] [NAME...]
#
#   BUILD     folder of a release build with bench/fixed_run (build/release)
#   --update  write the counts, fingerprints and tools of this machine to tests/bench/instructions.txt
#   --runs N  count each run N times and demand counts equal to one in a million, and equal fingerprints (1)
#   NAME...   only these runs
#
# The gate: each count lies within 3 % of the recorded one. Above, the commit made the run slower; below, it made it
# faster, and the figure must be recorded, or a later loss would hide in the gain. Counts depend on the compiler and the
# libraries: if the recorded versions differ from those here, the gate says so, prints the counts and passes.
#
# Exit: 0; 1 a count left its bounds, or repeated counts differ; 2 usage; 8 valgrind or the build is missing.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
export LC_ALL=C

usage() { fail 2 "scripts/instructions.sh" "$1" "use scripts/instructions.sh [BUILD] [--update] [--runs N] [NAME...]"; }

recorded="$root/tests/bench/instructions.txt"
tolerance=3  # percent
build_folder="$root/build/release"
update=no
runs=1
names=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    --update) update=yes ;;
    --runs)
      [[ "${2:-}" =~ ^[1-9][0-9]*$ ]] || usage "--runs needs a number"
      runs="$2"
      shift ;;
    -*) usage "unknown argument '$1'" ;;
    */*) build_folder="$(cd "$1" 2> /dev/null && pwd)" || usage "there is no folder '$1'" ;;
    *) names+=("$1") ;;
  esac
  shift
done
if [ "$update" = yes ] && [ "${#names[@]}" -gt 0 ]; then usage "--update records all runs"; fi
program="$build_folder/bench/fixed_run"
command -v valgrind > /dev/null || fail 8 "scripts/instructions.sh" "valgrind is not installed" "scripts/setup.sh --ci"
[ -x "$program" ] || fail 8 "scripts/instructions.sh" "there is no $program" \
  "cmake --preset release && cmake --build build/release --target fixed_run"

version_of() { dpkg-query -W -f '${Version}' "$1" 2> /dev/null || echo unknown; }

# What the counts depend on: one line each.
tools() {
  local compiler
  compiler="$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build_folder/CMakeCache.txt")"
  echo "tool compiler $("$compiler" --version | head -n 1)"
  local flags tuning
  flags="$(sed -n 's/^CMAKE_CXX_FLAGS_RELEASE:[A-Z]*=//p' "$build_folder/CMakeCache.txt")"
  tuning="$(grep -o -e '-mtune=[a-z0-9]*' cmake/Flags.cmake)"
  echo "tool flags $flags $tuning"
  local package
  for package in libc6 libstdc++6 libboost1.81-dev libtomlplusplus-dev valgrind; do
    echo "tool $package $(version_of "$package")"
  done
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The same addresses, an empty environment, and the C library's functions for the oldest CPU: counts do not depend on
# the machine, the user or the time.
fixed=()
if setarch "$(uname -m)" -R true 2> /dev/null; then fixed=(setarch "$(uname -m)" -R); fi
oldest_cpu="glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-FMA,-BMI1,-BMI2,-LZCNT,-MOVBE,-ERMS,-FSRM,\
-SSE4_2,-SSE4_1,-SSSE3,-POPCNT"

# count NAME REPETITION ARGUMENT...: leaves "COUNT FINGERPRINT" in $work/NAME.REPETITION.
count() {
  local key="$work/$1.$2"
  shift 2
  if ! (cd "$root" && env -i PATH=/usr/bin:/bin LC_ALL=C GLIBC_TUNABLES="$oldest_cpu" "${fixed[@]}" \
      valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@") > "$key.out" 2> "$key.log"; then
    tail -n 5 "$key.log" >&2
    return 1
  fi
  echo "$(sed -n 's/^==[0-9]*== Collected : //p' "$key.log") $(cat "$key.out")" > "$key"
}

# Each line of the file with its fields; `visit NAME COUNT FINGERPRINT ARGUMENT...`.
each_run() {
  local words
  while read -r -a words; do
    if [ "${words[0]:-}" != run ]; then continue; fi
    if [ "${#names[@]}" -gt 0 ] && [[ " ${names[*]} " != *" ${words[1]} "* ]]; then continue; fi
    "$1" "${words[@]:1}"
  done < "$recorded"
}

start_counts() {
  local repetition
  for ((repetition = 1; repetition <= runs; repetition++)); do
    if [ "$(jobs -rp | wc -l)" -ge "$(job_count)" ]; then wait -n || true; fi
    count "$1" "$repetition" "${@:4}" &
  done
}

failed=0
mismatch=no

# permille_text N: "+1.2 %".
permille_text() {
  local size="${1#-}" sign=+
  if [ "$1" -lt 0 ]; then sign=-; fi
  echo "$sign$((size / 10)).$((size % 10)) %"
}

# judge NAME COUNT FINGERPRINT: prints the line of a run and sets failed.
judge() {
  local name="$1" before="$2" fingerprint_before="$3" now fingerprint first first_fingerprint
  local permille verdict repetition
  for ((repetition = 1; repetition <= runs; repetition++)); do
    if [ ! -f "$work/$name.$repetition" ]; then
      say "$name: the run failed, see above"
      failed=1
      return
    fi
    read -r now fingerprint < "$work/$name.$repetition"
    if [ "$repetition" = 1 ]; then first="$now" first_fingerprint="$fingerprint"; fi
    if [ "$fingerprint" != "$first_fingerprint" ] || [ $(((now - first) * 1000000 / first)) != 0 ]; then
      say "$name: run 1 counts $first $first_fingerprint, run $repetition counts $now $fingerprint"
      failed=1
    fi
  done
  read -r now fingerprint < "$work/$name.1"
  verdict="not recorded"
  if [ "$before" != - ]; then
    permille=$(((now - before) * 1000 / before))
    verdict="$(permille_text "$permille")"
    if [ "$permille" -gt $((tolerance * 10)) ]; then verdict="$verdict SLOWER"; fi
    if [ "$permille" -lt $((-tolerance * 10)) ]; then verdict="$verdict FASTER, record it"; fi
    if [[ "$verdict" == *ER* ]] && [ "$mismatch" = no ]; then failed=1; fi
    if [ "$fingerprint" != "$fingerprint_before" ]; then verdict="$verdict (another fingerprint: other work)"; fi
  elif [ "$mismatch" = no ]; then
    failed=1
  fi
  printf '%-9s %14s %s\n' "$name" "$now" "$verdict"
}

record() {
  local now fingerprint
  [ -f "$work/$1.1" ] || fail 1 "scripts/instructions.sh --update" "the run $1 failed, see above" "mend it first"
  read -r now fingerprint < "$work/$1.1"
  echo "run $1 $now $fingerprint ${*:4}"
}

tools > "$work/tools"
if ! diff <(grep '^tool ' "$recorded") "$work/tools" > "$work/tools.diff"; then mismatch=yes; fi
each_run start_counts
wait || true

if [ "$update" = yes ]; then
  { grep '^#' "$recorded"; cat "$work/tools"; each_run record; } > "$work/new"
  cp "$work/new" "$recorded"
  mismatch=no
fi
each_run judge
if [ "$mismatch" = yes ]; then
  say "NOT JUDGED: the recorded counts were made with other tools (< recorded, > here):"
  grep '^[<>]' "$work/tools.diff" >&2 || true
  say "  remedy: on the machine that judges, build the commit before yours and run scripts/instructions.sh --update"
  exit 0
fi
if [ "$failed" != 0 ]; then
  fail 1 "scripts/instructions.sh" "an instruction count is not within $tolerance % of tests/bench/instructions.txt" \
    "find the change that costs it; if it is meant, or a gain: scripts/instructions.sh --update, and say why"
fi
