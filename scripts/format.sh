#!/usr/bin/env bash
# Lays out all C++ sources with the pinned clang-format-14; --check only names the files that differ.
#
#   scripts/format.sh [--check] [FILE...]
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! command -v clang-format-14 > /dev/null; then
  fail 8 "scripts/format.sh" "clang-format-14 is not installed" "scripts/setup.sh --ci"
fi
check=no
if [ "${1:-}" = --check ]; then
  check=yes
  shift
fi
cd "$root"
if [ "$#" -gt 0 ]; then
  files=("$@")
else
  mapfile -t files < <(find core_impl sim models analysis trace_views scenarios campaigns notebooks_export report cli \
    tests \
    \( -name '*.h' -o -name '*.cc' \) -type f 2> /dev/null | LC_ALL=C sort)
fi
if [ "${#files[@]}" = 0 ]; then exit 0; fi

if [ "$check" = no ]; then
  printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 16 clang-format-14 -i --style=file
  exit 0
fi
differing="$(printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -n 16 clang-format-14 --dry-run --style=file 2>&1 |
  sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: .*/\1/p' | LC_ALL=C sort -u)"
if [ -n "$differing" ]; then
  say "$differing"
  fail 1 "scripts/format.sh --check" "the files above are not laid out by .clang-format" \
    "scripts/format.sh"
fi
