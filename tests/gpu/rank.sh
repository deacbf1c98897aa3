#!/usr/bin/env bash
# Starts a command with the GPU of this rank alone: rank 0 sees the first, rank 1 the second, and again from the first.
gpus=$(nvidia-smi --list-gpus | wc -l)
rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${PMI_RANK:-0}}}
CUDA_VISIBLE_DEVICES=$((rank % gpus)) exec "$@"
