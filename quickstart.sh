#!/usr/bin/env bash
# From a bare Debian 12 machine to the first result: installs what is missing, builds, runs.
#
#   ./quickstart.sh [--with-mpi] [--no-install] [arguments of `photonsim run`...]
#
#   --with-mpi     also install MPI, which lets sweep and fuzz use several machines
#   --no-install   leave the system alone; name what is missing and exit with 8
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

setup_arguments=()
with_mpi=no
run_arguments=()
result="out/quickstart.sqlite"
expect_result=no
for argument in "$@"; do
  if [ "$expect_result" = yes ]; then
    result="$argument"
    expect_result=no
    continue
  fi
  case "$argument" in
    --with-mpi)
      setup_arguments+=(--mpi)
      with_mpi=yes
      ;;
    --no-install) setup_arguments+=("$argument") ;;
    --out) expect_result=yes ;;
    --out=*) result="${argument#--out=}" ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) run_arguments+=("$argument") ;;
  esac
done
if [ "$expect_result" = yes ]; then
  fail 2 "./quickstart.sh" "--out without a file name" "give one: --out out/first.sqlite"
fi

cd "$root"
scripts/setup.sh "${setup_arguments[@]}"
# A build that was configured without MPI has not looked for it since.
if [ "$with_mpi" = yes ]; then rm -f build/release/.configured; fi
build release photonsim_package
mkdir -p "$(dirname "$result")" ||
  fail 8 "$result" "its directory cannot be created" "choose another place with --out FILE"

status=0
build/release/photonsim run scenarios/quickstart.toml --baseline --out "$result" "${run_arguments[@]}" ||
  status=$?
if [ "$status" != 0 ]; then
  say "photonsim ended with exit code $status"
  exit "$status"
fi
page="${result%.*}.html"
build/release/photonsim report "$result" --html "$page"
say "result file: $result"
say "report: $page, for any browser"
