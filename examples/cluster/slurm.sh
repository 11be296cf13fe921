#!/usr/bin/env bash
# Tasks of papers on a Slurm cluster: each job of the array makes one shard, and a last one merges them.
#
#   export LATTICE_OUT=/shared/tasks LATTICE_SALT=$(cat ~/lab/salt)
#   array=$(sbatch --parsable --array=1-64 slurm.sh)
#   sbatch --dependency=afterok:"$array" --array=1-1 slurm.sh merge 64
#   lattice-env status "$LATTICE_OUT/shards" --watch 60
#
# A job that ends early, or whose node is lost, is put back by Slurm and goes on where it was. A shard that is whole is left
# alone, so that the array can be submitted again as often as needed.
#SBATCH --job-name=lattice
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=2G
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --output=lattice-%A-%a.log
set -euo pipefail

shards=$LATTICE_OUT/shards
if [[ ${1:-} == merge ]]; then
  folders=()
  for number in $(seq 1 "$2"); do folders+=("$shards/$number"); done
  exec lattice-env merge "$LATTICE_OUT/tasks" "${folders[@]}" --resume
fi

out=$shards/$SLURM_ARRAY_TASK_ID
if [[ -e $out/manifest.json ]]; then exit 0; fi
# Builds are kept on the node's own disk: they are many small files, and every node can make them again.
exec lattice-env generate --out "$out" --resume --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --salt "$LATTICE_SALT" --store "${TMPDIR:-/tmp}/lattice-builds" --jobs "$SLURM_CPUS_PER_TASK"
