#!/usr/bin/env bash
# Starts a Slurm of one machine, with munge, slurmctld and slurmd of Debian's packages, and runs a study there three
# times: as an array of shares that are merged, as an MPI job by srun, and as one whose rank is killed. All must report
# what one process reports. The daemons and their files are gone afterwards.
#
#   scripts/try_slurm.sh BIN STUDY FOLDER
#
# As root, with the packages of `scripts/setup.sh --mpi`; FOLDER keeps results and logs.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ "$#" = 3 ] && [ -x "$1" ] && [ -f "$2" ] || fail 2 "scripts/try_slurm.sh" \
  "a program, a study and a folder are expected" "use scripts/try_slurm.sh build/release/photonsim STUDY FOLDER"
[ "$(id -u)" = 0 ] || fail 8 "scripts/try_slurm.sh" "the daemons of Slurm need root" "run it as root"
for each in munged slurmctld slurmd sbatch srun; do
  command -v "$each" > /dev/null || [ -x "/usr/sbin/$each" ] || fail 8 "scripts/try_slurm.sh" "$each is missing" \
    "run scripts/setup.sh --mpi"
done
program="$(realpath "$1")" study="$(realpath "$2")"
mkdir -p "$3"
folder="$(realpath "$3")"
ranks=4
tasks="${SLURM_TRY_TASKS:-$ranks}"
state="$(mktemp -d)"
export SLURM_CONF="$state/slurm.conf" PATH="$PATH:/usr/sbin"

daemons=()
stop_daemons() {
  scancel --user root 2> /dev/null || true
  for each in "${daemons[@]}"; do kill "$each" 2> /dev/null || true; done
  wait 2> /dev/null || true
  rm -rf "$state"
}
trap stop_daemons EXIT

# start NAME COMMAND...: in the foreground of a job of this shell, its words in the folder.
start() {
  local name="$1"
  shift
  "$@" > "$folder/$name.log" 2>&1 &
  daemons+=("$!")
}

# until_true SECONDS WHAT COMMAND...
until_true() {
  local left="$1" what="$2"
  shift 2
  until "$@" > /dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || fail 1 "$what" "it has not happened in time" "read the logs in $folder"
    sleep 1
  done
}

# seconds NAME COMMAND...: says how long it took.
seconds() {
  local name="$1" began
  shift
  began="$(date +%s)"
  "$@"
  say "$name: $(($(date +%s) - began)) s"
}

same() { cmp "$folder/one.json" "$2" || fail 1 "$1" "it reports other results than one process" "compare $2"; }

host="$(hostname -s)"
mkdir -p "$state/spool" "$state/state" "$state/munge"
head -c 1024 /dev/urandom > "$state/munge/key"
chmod 0700 "$state" "$state/munge"
chmod 0400 "$state/munge/key"
cat > "$SLURM_CONF" << EOF
ClusterName=try
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$state/munge/socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=1,sched_interval=1
ReturnToService=2
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$state/state
SlurmdSpoolDir=$state/spool
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/slurmd.pid
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host CPUs=$tasks RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
EOF
start munged munged --foreground --force --key-file="$state/munge/key" --socket="$state/munge/socket" \
  --pid-file="$state/munge/pid" --log-file="$folder/munged.txt" --seed-file="$state/munge/seed"
until_true 20 "munge" test -S "$state/munge/socket"
start slurmctld slurmctld -D
start slurmd slurmd -D -N "$host"
until_true 60 "the node is idle" sh -c 'sinfo -h -o %T | grep -q idle'
say "$(sinfo --version) on $host: $(sinfo -h -o '%D node, %c processors')"

cd "$root"
rm -f "$folder"/*.db* "$folder"/*.json
seconds "one process" "$program" sweep "$study" --json > "$folder/one.json"

cat > "$folder/share.sh" << EOF
#!/bin/sh
exec "$program" sweep "$study" --shard "\$SLURM_ARRAY_TASK_ID/$ranks" --out "$folder/share\$SLURM_ARRAY_TASK_ID.db"
EOF
seconds "an array of $ranks shares" sbatch --wait --array="1-$ranks" --ntasks=1 --output="$folder/share-%a.log" \
  "$folder/share.sh" > /dev/null
"$program" db merge "$folder/all.db" "$folder"/share[0-9]*.db >&2
"$program" sweep "$study" --out "$folder/all.db" --json > "$folder/array.json"
same "the array" "$folder/array.json"

cat > "$folder/ranks.sh" << EOF
#!/bin/sh
exec srun --mpi=pmix --ntasks=$tasks "$program" sweep "$study" --out "$folder/\$1.db" --json > "$folder/\$1.json"
EOF
seconds "an MPI job of $tasks ranks" sbatch --wait --ntasks="$tasks" --output="$folder/mpi.log" "$folder/ranks.sh" mpi \
  > /dev/null
same "the MPI job" "$folder/mpi.json"

kill_a_rank() {
  sbatch --wait --ntasks="$tasks" --output="$folder/killed.log" "$folder/ranks.sh" killed > /dev/null &
  local job="$!"
  until_true 60 "the rank to be killed works" sh -c "grep -q ' runs ended' '$folder/killed.log'"
  kill -9 "$(rank_process PMIX_RANK=1 "sweep $study --out $folder/killed.db")"
  wait "$job"
}
seconds "an MPI job of $tasks ranks, one of them killed" kill_a_rank
grep -h "is gone" "$folder/killed.log" >&2 ||
  fail 1 "the killed rank" "rank 0 has not noticed it" "read $folder/killed.log"
same "the MPI job with a killed rank" "$folder/killed.json"
say "all three report what one process reports"
