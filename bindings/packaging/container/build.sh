#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What both recipes of this folder do in an image with nvcc, in the sources: the archive of a build for all GPUs, unpacked
# into /opt/nwgpu.
set -euo pipefail
./bootstrap.sh
apt-get install --yes --quiet --quiet --no-install-recommends libhtscodecs-dev
cmake --preset release-cuda
bindings/packaging/archive.sh build/release-cuda build/dist
mkdir -p /opt/nwgpu
tar --extract --gzip --file build/dist/nwgpu-*.tar.gz --directory /opt/nwgpu --strip-components=1
