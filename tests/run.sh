#!/usr/bin/env bash
# The tests, in stages named like presets: `ci`, every CTest test in a Release build with warnings as errors; `asan` and
# `tsan`, the unit and conformance tests again under AddressSanitizer with UndefinedBehaviorSanitizer and under
# ThreadSanitizer; `fuzz`, each fuzz target under libFuzzer for 15 seconds; `tidy`, the checks of .clang-tidy on all
# sources but the kernels; `packages`, those of bindings/packaging in a Debian without compiler (minutes); `mutation`,
# whether the tests notice broken sources (hours).
#
#   tests/run.sh [ci] [asan] [tsan] [fuzz] [tidy] [packages] [mutation]     the chosen stages; none: ci
#   tests/run.sh nightly                                                    all of them, more thoroughly
#
# What a stage needs and the machine lacks is said and left out; ./bootstrap.sh --test installs it all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The sanitizers of gcc 12 and clang 14 do not know the wide address randomisation of newer kernels.
if [ -z "${NWGPU_FIXED_ADDRESSES:-}" ] && setarch --addr-no-randomize true 2>/dev/null; then
  NWGPU_FIXED_ADDRESSES=1 exec setarch --addr-no-randomize "$0" "$@"
fi

jobs=$(nproc)
summary=()
failed=0

run_stage() {
  local preset=$1 start=$SECONDS log=build/$1.log
  echo "== $preset"
  local thoroughly=()
  case "${NWGPU_THOROUGH:+$preset}" in
  ci) thoroughly=(-DNWGPU_ISAS=) ;; # all
  fuzz) thoroughly=(-DNWGPU_SANITIZE_KERNELS=ON) ;;
  esac
  cmake --preset "$preset" "${thoroughly[@]}"
  cmake --build --preset "$preset" --parallel "$jobs"
  if [ "$preset" = fuzz ]; then
    find build/fuzz/tests/fuzz -type f -executable -name 'fuzz_*' -print0 |
      xargs --null --max-procs="$jobs" --max-args=1 tests/fuzz/run.sh "${NWGPU_FUZZ_SECONDS:-15}" 2>&1 | tee "$log" ||
      { failed=1 && echo "a fuzz target failed" >>"$log"; }
    summary+=("fuzz: $(grep --count '^== ' "$log") targets, $(grep 'failed' "$log" || echo 'nothing found')")
  else
    ctest --preset "$preset" --parallel "$jobs" | tee "$log" || failed=1
    summary+=("$preset: $(grep 'tests passed' "$log" || echo 'no tests ran')")
  fi
  summary[-1]+=" ($((SECONDS - start)) s)"
}

mkdir -p build
stages=("$@")
if [ ${#stages[@]} -eq 0 ]; then stages=(ci); fi
if [ "${stages[*]}" = nightly ]; then
  export NWGPU_THOROUGH=1 NWGPU_FUZZ_SECONDS=${NWGPU_FUZZ_SECONDS:-60}
  stages=(ci asan tsan fuzz tidy packages mutation)
fi
for stage in "${stages[@]}"; do
  if [[ "$stage" == tsan || "$stage" == fuzz ]] && ! command -v clang++-14 >/dev/null; then
    summary+=("$stage: left out, no clang++-14")
  elif [ "$stage" = tidy ] && ! command -v clang-tidy >/dev/null; then
    summary+=("tidy: left out, no clang-tidy")
  elif [ "$stage" = tidy ]; then
    echo "== tidy"
    cmake --preset ci >/dev/null
    grep --only-matching --perl-regexp '"file": "\K[^"]*/(libnwgpu|capi|cli)/[^"]*\.cpp(?=")' build/ci/compile_commands.json |
      grep --invert-match '/kernels/\|/fronts.cpp' | sort --unique |
      xargs --max-procs="$jobs" --max-args=4 clang-tidy -p build/ci --quiet 2>/dev/null | tee build/tidy.log || failed=1
    summary+=("tidy: $(grep --count ' error: ' build/tidy.log || true) findings")
  elif [ "$stage" = packages ]; then
    echo "== packages"
    code=0
    [ -e build/ci ] || cmake --preset ci
    tests/package/clean_root.sh build/ci build/clean_root | tee build/packages.log || code=$?
    if [ "$code" -ne 0 ] && [ "$code" -ne 77 ]; then failed=1; fi
    summary+=("packages: $(tail -n 1 build/packages.log)")
  elif [ "$stage" = mutation ]; then
    echo "== mutation"
    tests/mutation.py build/mutation | tee build/mutation.log || failed=1
    killed=$(grep --count '^killed' build/mutation.log || true)
    summary+=("mutation: $killed killed, $(grep --count '^SURVIVED' build/mutation.log || true) survived")
  else
    run_stage "$stage"
  fi
done

printf '%s\n' "== summary" "${summary[@]}"
exit "$failed"
