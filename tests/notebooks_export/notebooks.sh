#!/usr/bin/env bash
# Exports results, reads them with photonsim_results.py, and executes all notebooks with Debian's Jupyter.
#
#   tests/notebooks_export/notebooks.sh PROGRAM FOLDER
#
# Exit 77: Python here lacks pandas, matplotlib, Altair or Jupyter.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
python=""
for each in python3 /usr/bin/python3; do
  if "$each" -c 'import pandas, matplotlib, altair, nbconvert, ipykernel' 2> /dev/null; then
    python="$each"
    break
  fi
done
if [ -z "$python" ]; then
  say "no pandas, matplotlib, Altair and Jupyter: scripts/setup.sh --ci installs them"
  exit 77
fi
cd "$root"
rm -rf "$2"
mkdir -p "$2"
# Jupyter warns on stderr that a debugger would miss breakpoints.
export PYDEVD_DISABLE_FILE_VALIDATION=1 PYTHONWARNINGS=ignore
exec "$python" tests/notebooks_export/notebooks.py "$1" "$2"
