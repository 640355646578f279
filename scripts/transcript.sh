#!/usr/bin/env bash
# Compares the transcript in README.md with what the program says today: events and fingerprint.
#
#   scripts/transcript.sh BINARY
#
# Exit 1: README.md shows another run than the one a new user will see.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ "$#" != 1 ] || [ ! -x "$1" ]; then
  fail 2 "scripts/transcript.sh" "needs the program" "use scripts/transcript.sh BINARY"
fi
binary="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
cd "$root"
pattern='[0-9,]+ events, fingerprint [0-9a-f]{16}'
shown="$(grep -oE "$pattern" README.md || true)"
seen="$("$binary" run scenarios/quickstart.toml 2> /dev/null | grep -oE "$pattern" || true)"
if [ -z "$seen" ] || [ "$shown" != "$seen" ]; then
  fail 1 "README.md" "the transcript shows '$shown', the program says '$seen'" \
    "replay it: $1 run scenarios/quickstart.toml; then copy its output into README.md"
fi
say "README.md: $shown"
