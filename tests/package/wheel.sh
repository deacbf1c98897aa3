#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A wheel, as bindings/packaging/wheel.sh makes it of a build: it installs without compiler and network, works where nothing of
# the build is found, and its types agree with what tests/typed.py of the package says of them.
#
# Usage: wheel.sh <source> <build> <work folder>.  Exit code 77: there are no Python tools.
set -euo pipefail
source=$1 build=$2 work=$3/wheel

"$source/bindings/packaging/python_tools.sh" || { echo "skipped: bindings/packaging/python_tools.sh could not install its tools"; exit 77; }
rm -rf "$work"
"$source/bindings/packaging/wheel.sh" "$build" "$work/dist"
ls -l "$work/dist"

python3 -m venv --without-pip "$work/env"
"$source/build/tools/bin/pip" --python "$work/env" install --quiet --disable-pip-version-check --no-index "$work"/dist/nwgpu-*.whl
sed --quiet '/^```python$/,/^```$/{/^```/!p}' "$source/README.md" >"$work/example.py"
cd /
got=$(env --ignore-environment PATH=/nonexistent "$work/env/bin/python" "$work/example.py")
[ "$got" = "6 2=1I4=" ] || { echo "FAILED: the README's example printed: $got" >&2; exit 1; }
loaded=$("$work/env/bin/python" -c 'import nwgpu; print(open("/proc/self/maps").read())' | grep -o '/.*libnwgpu.*' | sort -u)
[[ "$loaded" == "$work/env/"* ]] || { echo "FAILED: the library is $loaded" >&2; exit 1; }

MYPYPATH='' "$source/build/tools/bin/mypy" --strict --python-executable "$work/env/bin/python" --cache-dir "$work/mypy" \
  "$source/bindings/python/tests/typed.py"
echo "wheel: passed"
