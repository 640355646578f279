#!/usr/bin/env bash
# Runs a study on real Slurm daemons of this machine, as an array of shares that db merge puts together and as a job
# of several ranks, and compares both with the run of one machine.
#
#   scripts/try_slurm.sh BINARY STUDY [SHARES]
#
#   BINARY   a photonsim that is built with MPI
#   SHARES   jobs of the array, and ranks beside rank 0 (default: 3)
#
# As root: starts munged, slurmctld and slurmd with a configuration of its own below a new folder of /tmp, and ends
# them and removes the folder at the end. A Slurm of this machine that is running is not touched: the script refuses.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$#" -ge 2 ] && [ -x "$1" ] && [ -f "$2" ] || fail 2 "scripts/try_slurm.sh" \
  "a program and a study file are expected" "use scripts/try_slurm.sh BINARY STUDY [SHARES]"
binary="$(realpath "$1")" study="$(realpath "$2")" shares="${3:-3}"
[[ "$shares" =~ ^[1-9][0-9]*$ ]] || fail 2 "scripts/try_slurm.sh $shares" "SHARES is no number" "give one, such as 3"
[ "$(id -u)" = 0 ] || fail 8 "scripts/try_slurm.sh" "the daemons of Slurm need root" "run it as root"
for name in munged slurmctld slurmd sbatch mpirun sqlite3; do
  command -v "$name" > /dev/null || fail 8 "scripts/try_slurm.sh" "$name is missing" \
    "as root: apt-get install munge slurmctld slurmd slurm-client openmpi-bin sqlite3"
done
for name in munged slurmctld slurmd; do
  if pgrep -x "$name" > /dev/null; then
    fail 8 "scripts/try_slurm.sh" "$name is running on this machine already" "use that Slurm, or stop it"
  fi
done

folder="$(mktemp -d /tmp/try_slurm.XXXXXX)"
chmod 755 "$folder"
mkdir "$folder/munge" "$folder/state" "$folder/spool"
export SLURM_CONF="$folder/slurm.conf"
host="$(hostname -s)"
daemons=()

end() {
  local status=$? daemon
  if [ "${#daemons[@]}" -gt 0 ]; then
    scancel --user=root > /dev/null 2>&1 || true
    for daemon in "${daemons[@]}"; do kill "$daemon" 2> /dev/null || true; done
    for daemon in "${daemons[@]}"; do wait "$daemon" 2> /dev/null || true; done
  fi
  if [ "$status" = 0 ]; then rm -rf "$folder"; else say "kept for a look: $folder"; fi
}
trap end EXIT

# start NAME COMMAND...: a daemon in the foreground of its own process, which end() ends by its id.
start() {
  local name="$1"
  shift
  "$@" > "$folder/$name.out" 2>&1 < /dev/null &
  daemons+=($!)
}

# until_true SECONDS WHAT COMMAND...
until_true() {
  local seconds="$1" what="$2" i
  shift 2
  for ((i = 0; i < seconds * 5; ++i)); do
    if "$@" > /dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  tail -n 5 "$folder"/*.log "$folder"/*.out >&2 || true
  fail 1 "$what" "not within $seconds s, last lines of the daemons are above" "read the logs in $folder"
}

dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
chmod 700 "$folder/munge"
chmod 400 "$folder/munge/key"
cat > "$SLURM_CONF" << EOF
ClusterName=try
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmdPort=$((30000 + RANDOM % 2000))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$((shares + 1)) RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
# The socket's folder is 755 on purpose; --force lets munged accept /tmp above it.
start munged munged --foreground --force --socket "$folder/munge.socket" --key-file "$folder/munge/key" \
  --pid-file "$folder/munge/pid" --seed-file "$folder/munge/seed" --log-file "$folder/munge/log"
until_true 10 "munged" munge --socket "$folder/munge.socket" --no-input
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd slurmd -D -f "$SLURM_CONF" -N "$host"
until_true 60 "slurmctld and slurmd" bash -c "sinfo -h -o %T | grep -qx idle"
say "Slurm $(sinfo --version | cut -d' ' -f2) is up: one node, $((shares + 1)) tasks"

cd "$folder"
# timed WHAT COMMAND...: its last lines when it fails. `sbatch --wait` looks after 2, 10 and 42 s: times of jobs are
# those of its looks.
timed() {
  local what="$1" began
  shift
  began="$(date +%s%N)"
  "$@" > step.out 2>&1 || {
    tail -n 10 step.out job*.out >&2 2> /dev/null || true
    fail 1 "$what" "it failed, its last lines are above" "read the logs in $folder"
  }
  say "$what: $((($(date +%s%N) - began) / 1000000)) ms"
}
# Every run and every value of a file, without ids, order and processor time. Read before `sweep` opens the file, which
# would do the runs that are missing.
rows_of() {
  sqlite3 -readonly "$1" "
    select key, verdict, seed, ending, exit_code, determinism, fingerprint, events, sim_milliseconds
      from run order by key;
    select run.key, quantity.name, printf('%.17g', value) from metric_value join run on run.id = run
      join quantity on quantity.id = quantity where quantity.name not like '%cpu%' order by 1, 2;"
}
json_of() { "$binary" sweep "$study" --out "$1" --json 2> /dev/null; }

timed "one machine" "$binary" sweep "$study" --jobs "$(nproc)" --out one.db --json
timed "array of $shares" sbatch --wait --array="1-$shares" --output=job-array-%a.out --export=ALL --wrap \
  "'$binary' sweep '$study' --shard \$SLURM_ARRAY_TASK_ID/$shares --out array-\$SLURM_ARRAY_TASK_ID.db --json"
parts=()
for ((i = 1; i <= shares; ++i)); do parts+=("array-$i.db"); done
timed "db merge" "$binary" db merge array.db "${parts[@]}"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
timed "MPI job of $((shares + 1)) ranks" sbatch --wait --ntasks=$((shares + 1)) --output=job-mpi.out --export=ALL \
  --wrap \
  "mpirun --enable-recovery '$binary' sweep '$study' --out mpi.db --json"

rows_of one.db > one.rows
json_of one.db > one.json
[ -s one.json ] && [ -s one.rows ] || fail 1 "one.db" "the study has no result to compare" "read $folder/step.out"
runs="$(sqlite3 -readonly one.db 'select count(*) from run')"
for kind in array mpi; do
  rows_of "$kind.db" > "$kind.rows"
  json_of "$kind.db" > "$kind.json"
  for what in rows json; do
    cmp "one.$what" "$kind.$what" >&2 || fail 1 "$kind.$what" "it differs from that of one machine" \
      "compare one.$what with $kind.$what in $folder"
  done
  say "$kind: $runs runs, $(wc -l < "$kind.rows") rows and the JSON equal those of one machine"
done
