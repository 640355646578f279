#!/usr/bin/env bash
# Installs from Debian's packages what the build needs and the machine lacks, saying what and why.
#
#   scripts/setup.sh [--mpi] [--tests] [--ci] [--bench] [--no-install]
#
#   --mpi         also what runs on several machines (mpirun, srun) need
#   --tests       also what only tests need
#   --ci          also what only tests or .ci/run need
#   --bench       also the simulators that tests/bench/compare measures beside this one
#   --no-install  leave the system alone: name what is missing and exit with 8
#
# As root, or through sudo. Nothing missing: no output, nothing touched.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# package | why
packages='g++|compiles the project (C++20)
cmake|configures the build
ninja-build|runs the build
ccache|makes rebuilds fast
libboost1.81-dev|hash tables, outcome, histogram, mathematics
libboost-json1.81-dev|JSON in --json output and exports
libboost-iostreams1.81-dev|logs packed with gzip or zstd
libsqlite3-dev|the result file
catch2|unit tests
libcli11-dev|the command line of photonsim
libtomlplusplus-dev|scenario files
libfmt-dev|formatting of text
libprotozero-dev|traces for Perfetto
librandom123-dev|counter-based random streams
libeigen3-dev|transforms and linear systems of queueing theory and Gaussian processes
libmuparser-dev|evaluates the formulas of theory in study files
libnlopt-dev|searches for the likeliest model and the next point of a search
librapidcheck-dev|property tests
libxxhash-dev|fingerprints and checksums'
# Whatever package an npm comes from, it serves.
if ! command -v npm > /dev/null; then
  packages="$packages
npm|fetches the chart library that reports embed"
fi
# Boost.MPI of the same version as the other headers, so that no Boost 1.74 comes along.
packages_mpi='libboost-mpi1.81-dev|starts the ranks of a cluster
libopenmpi-dev|the MPI below it
openmpi-bin|mpirun'
packages_tests='patch|applies the mutants of tests/mutants
python3|computes the numbers of reports again'
packages_ci='clang-14|second compiler of the golden check
libclang-rt-14-dev|libFuzzer and sanitizers of clang, for scripts/fuzz_inputs.sh
python3-clang-14|reads the sources for the automatic mutants
clang-format-14|check of the layout
chromium|opens reports in a browser
jupyter-nbconvert|executes the notebooks of exports
python3-ipykernel|runs their cells
python3-pandas|reads their tables
python3-matplotlib|draws their figures
python3-altair|draws the charts of reports in notebooks
python3-munkres|lets matplotlib do without scipy, which would bring Boost 1.74
mkdocs|builds the documents as a site
valgrind|counts instructions'
packages_bench='libns3-dev|ns-3, a peer of tests/bench/compare
python3|runs SimPy and the comparison
python3-simpy|SimPy, a peer of tests/bench/compare'

install=yes
for argument in "$@"; do
  case "$argument" in
    --mpi) packages="$packages
$packages_mpi" ;;
    --tests) packages="$packages
$packages_tests" ;;
    --ci) packages="$packages
$packages_tests
$packages_ci" ;;
    --bench) packages="$packages
$packages_bench" ;;
    --no-install) install=no ;;
    *) fail 2 "scripts/setup.sh" "unknown argument '$argument'" \
         "use scripts/setup.sh [--mpi] [--tests] [--ci] [--bench] [--no-install]" ;;
  esac
done

if ! command -v dpkg-query > /dev/null; then
  if [ "$install" = no ]; then
    say "note: no dpkg on this system, so CMake alone will judge what is installed"
    exit 0
  fi
  fail 8 "scripts/setup.sh" "this system has no dpkg, so packages cannot be installed for you" \
    "install the equivalents of: $(cut -d'|' -f1 <<< "$packages" | paste -sd' '); then use --no-install"
fi

mapfile -t names < <(cut -d'|' -f1 <<< "$packages")
installed="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${names[@]}" libboost1.74-dev \
  2> /dev/null || true)"
missing=()
while IFS='|' read -r name why; do
  if ! grep -qxF "installed $name" <<< "$installed"; then
    missing+=("$name")
    if [ "${#missing[@]}" = 1 ]; then say "missing Debian packages:"; fi
    say "  $(printf '%-22s %s' "$name" "$why")"
  fi
done <<< "$packages"

if [ "${#missing[@]}" = 0 ]; then exit 0; fi
if [ "$install" = no ]; then
  fail 8 "scripts/setup.sh --no-install" "${#missing[@]} packages are missing, listed above" \
    "run without --no-install, or as root: apt-get install ${missing[*]}"
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo > /dev/null; then
    fail 8 "scripts/setup.sh" "installing packages needs root, and there is no sudo" \
      "as root: apt-get update && apt-get install ${missing[*]}"
  fi
  as_root=(sudo)
fi
if [[ " ${missing[*]} " == *" libboost1.81-dev "* ]] &&
   grep -qxF "installed libboost1.74-dev" <<< "$installed"; then
  say "note: libboost1.81-dev cannot stand beside libboost1.74-dev: apt replaces the older headers" \
    "(the runtime libraries of 1.74 stay)"
fi

log="$(mktemp)"
trap 'rm -f "$log"' EXIT

# apt STEP REMEDY ARGUMENTS...: quiet while it works, its last lines when it does not.
apt_get() {
  local step="$1" remedy="$2"
  shift 2
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold "$@" \
      > "$log" 2>&1 < /dev/null; then
    tail -n 15 "$log" >&2
    fail 8 "scripts/setup.sh, $step" "apt-get failed, its last lines are above" "$remedy"
  fi
}

say "installing ${#missing[@]} packages (apt-get update, then apt-get install)"
apt_get "apt-get update" "check the network and the apt sources of this machine, then try again" update
apt_get "apt-get install" "as root: apt-get install ${missing[*]}" \
  install --no-install-recommends "${missing[@]}"
say "installed"
