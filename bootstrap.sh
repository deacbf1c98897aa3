#!/usr/bin/env bash
# Sets up Debian 12 or Ubuntu 24.04 for libnwgpu.  May be called again at any time: it installs what is missing.
#
#   ./bootstrap.sh           packages that the library and the command need
#   ./bootstrap.sh --test    and those that the tests and benchmarks need
#   ./bootstrap.sh run       packages, a build for this machine, then align the two examples of the README
#   ./bootstrap.sh test      packages with --test, then tests/run.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

build_packages=(g++ cmake ninja-build pkg-config libhwy-dev libhts-dev libcli11-dev
  libcairo2-dev                        # PNG
  libbz2-dev liblzma-dev libzstd-dev libisal-dev)  # compressed input
test_packages=(
  libgtest-dev zlib1g-dev python3 zstd binutils samtools bcftools minimap2 picard-tools chromium
  clang-14 libclang-rt-14-dev llvm-14                      # sanitizers and fuzzing
  bindgen rustc cargo golang-go                            # programs in other languages
  python3-dev python3-venv                                 # the Python package, and tools to make a wheel of it
  python3-numpy python3-biopython                          # whose sequences it takes
  dpkg-dev lintian mmdebstrap python3-yaml                 # packages and their recipes
  libhtscodecs-dev                                         # part of the htslib in the portable archive
  abigail-tools                                            # comparison with the baseline of the ABI
  libbenchmark-dev                                         # benchmarks
  parasail libparasail-dev emboss libssw-dev libseqan2-dev # peers that answers are compared with
  openmpi-bin libopenmpi-dev mpich libmpich-dev            # ranks
  libseqan3-dev libwfa2-dev libedlib-dev libminimap2-dev
)

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$1" 2>/dev/null)" == ii* ]]
}

has_candidate() {
  [[ "$(apt-cache policy "$1")" == *"Candidate: "[!\(]* ]]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Not every release has every peer: a test or benchmark whose peer is missing is left out, and says so.  What the
# build needs has to be there.
install_packages() {
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi

  as_root apt-get update --quiet --quiet
  local wanted=()
  for package in "${missing[@]}"; do
    if has_candidate "$package"; then
      wanted+=("$package")
    elif [[ " ${build_packages[*]} " == *" $package "* ]]; then
      echo "bootstrap.sh: this system has no package $package" >&2
      exit 1
    else
      echo "bootstrap.sh: this system has no package $package, going on without it"
    fi
  done
  if [ ${#wanted[@]} -eq 0 ]; then return; fi
  echo "bootstrap.sh: installing ${wanted[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --quiet --no-install-recommends \
    "${wanted[@]}"
}

# Shows each command before it runs it.
nwgpu() {
  echo "+ nwgpu $*"
  build/run/cli/nwgpu "$@"
}

run_examples() {
  local data=tests/data out=build/examples
  mkdir -p $out
  nwgpu align --verify $data/mt_human.fa.gz $data/mt_orang.fa.gz -o $out/mitochondria.sam
  nwgpu align --verify --pair zip $data/ortholog_pairs_{cow,pig}.faa.gz -o $out/proteins.tsv
  nwgpu align --pair zip --format pair $data/ortholog_pairs_{cow,pig}.faa.gz -o $out/proteins.txt
  echo "== mitochondria.sam: query, target, differences (NM), score (AS)"
  grep -v '^@' $out/mitochondria.sam | cut -f 1,3,12,14
  echo "== proteins.tsv: the first five pairs"
  head -n 6 $out/proteins.tsv | cut -f 1-4
  echo "== proteins.txt: the first pair"
  sed -n '8,32p' $out/proteins.txt
  echo "The alignments are in $out."
}

command -v apt-get >/dev/null || { echo "bootstrap.sh: needs apt-get (Debian or Ubuntu)" >&2; exit 1; }

case "${1:-}" in
  "")
    install_packages "${build_packages[@]}"
    ;;
  --test)
    install_packages "${build_packages[@]}" "${test_packages[@]}"
    bindings/packaging/python_tools.sh || echo "bootstrap.sh: no Python tools, going on without a wheel"
    ;;
  run)
    install_packages "${build_packages[@]}"
    # For the GPU that is here, or without the CUDA engine: code for more of them takes as long as all the rest.
    cuda=(-DNWGPU_CUDA=OFF)
    if nvidia-smi --list-gpus >/dev/null 2>&1; then cuda=(-DCMAKE_CUDA_ARCHITECTURES=native); fi
    # And for this processor: kernels of one instruction set take a third of the time.
    isas=
    if grep -qw avx2 /proc/cpuinfo; then isas=avx2; fi
    if grep -w avx512f /proc/cpuinfo | grep -w avx512bw | grep -w avx512dq | grep -w avx512cd | grep -qw avx512vl; then
      isas=avx3
    fi
    cmake --preset release -B build/run "${cuda[@]}" -DNWGPU_ISAS=$isas
    cmake --build build/run
    run_examples
    ;;
  test)
    "$0" --test
    exec tests/run.sh
    ;;
  *)
    sed --quiet 's/^# \{0,1\}//; 2,7p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
