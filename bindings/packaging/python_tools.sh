#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Python tools of requirements.txt into build/tools, a virtual environment, unless they are there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! cmp --silent bindings/packaging/requirements.txt build/tools/requirements.txt; then
  mkdir -p build
  python3 -m venv --clear build/tools
  build/tools/bin/pip install --quiet --disable-pip-version-check --requirement bindings/packaging/requirements.txt
  cp bindings/packaging/requirements.txt build/tools
fi
