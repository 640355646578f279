# shellcheck shell=bash
# Shared by the scripts of this project: sourced, never run. The caller has set `set -euo pipefail`.

# The root of the repository, from the place of this file: scripts work from any directory.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '%s\n' "$*" >&2; }

# fail CODE PLACE CAUSE REMEDY: reports an error and exits.
fail() {
  say "error: $2: $3"
  say "  remedy: $4"
  exit "$1"
}

# rank_process VARIABLE=VALUE COMMAND: the photonsim of that command that works for a rank: its guard is its parent, and
# the processes of its runs are its children.
rank_process() {
  local process parent
  name_of() { cat "/proc/$1/comm" 2> /dev/null || true; }
  parent_of() { awk '{ print $4 }' "/proc/$1/stat" 2> /dev/null || echo 1; }
  for process in $(pgrep -f "$2"); do
    parent="$(parent_of "$process")"
    if tr '\0' '\n' 2> /dev/null < "/proc/$process/environ" | grep -qx "$1" &&
       [ "$(name_of "$parent")" = photonsim ] && [ "$(name_of "$(parent_of "$parent")")" != photonsim ]; then
      echo "$process"
      return
    fi
  done
  return 1
}

# Parallel jobs: one per core, but at least 1 GB of free memory for each, because a compiler needs it.
job_count() {
  local cores free_kb by_memory
  cores="$(nproc)"
  free_kb="$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null || true)"
  by_memory=$(( ${free_kb:-0} / 1000000 ))
  if [ -n "$free_kb" ] && [ "$by_memory" -lt "$cores" ]; then cores="$by_memory"; fi
  if [ "$cores" -lt 1 ]; then cores=1; fi
  echo "$cores"
}

# configure PRESET: runs CMake only when nothing is configured, the presets changed, or the tree moved.
# Changes of a CMakeLists.txt are the build's own business.
configure() {
  local preset="$1" build="$root/build/$1" fresh="" log
  if [ -f "$build/CMakeCache.txt" ] &&
     ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    say "build/$preset was configured in another place: starting it afresh"
    fresh="--fresh"
  fi
  if [ -z "$fresh" ] && [ -f "$build/build.ninja" ] && [ -f "$build/.configured" ] &&
     [ ! "$root/CMakePresets.json" -nt "$build/.configured" ]; then
    return 0
  fi
  mkdir -p "$build"
  log="$build/configure.log"
  say "configuring $preset"
  if ! (cd "$root" && cmake ${fresh:+"$fresh"} --preset "$preset") > "$log" 2>&1; then
    cat "$log" >&2
    fail 1 "cmake --preset $preset" "the configuration failed, see above" \
      "install what the message names with scripts/setup.sh, or remove build/$preset and try again"
  fi
  touch "$build/.configured"
}

# build PRESET [TARGET...]
build() {
  local preset="$1" target targets=()
  shift
  configure "$preset"
  for target in "$@"; do targets+=(--target "$target"); done
  if ! (cd "$root" && cmake --build "build/$preset" --parallel "$(job_count)" "${targets[@]}") >&2; then
    fail 1 "build of preset $preset" "the compiler or linker failed, see above" \
      "mend the first error, then: cmake --build --preset $preset"
  fi
}
