#!/usr/bin/env bash
# Everything a change has to pass: set-up, release build, all tests.
#
#   ./test.sh [--no-install] [arguments of ctest...]
#
#   --no-install   leave the system alone; name what is missing and exit with 8
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

setup_arguments=(--tests)
test_arguments=()
for argument in "$@"; do
  case "$argument" in
    --no-install) setup_arguments+=("$argument") ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) test_arguments+=("$argument") ;;
  esac
done

cd "$root"
scripts/setup.sh "${setup_arguments[@]}"
build release
status=0
ctest --preset release --parallel "$(nproc)" --no-tests=error "${test_arguments[@]}" || status=$?
# ctest names a skipped test but keeps its reason in the log.
log=build/release/Testing/Temporary/LastTest.log
if [ -f "$log" ]; then grep -h '^SKIPPED:' "$log" >&2 || true; fi
exit "$status"
