#!/usr/bin/env bash
# The benchmark on a machine with an NVIDIA GPU and no network, in under 10 minutes.
#
#   bench/gpu.sh prepare         here, with a network: puts the sources that a build needs into build/gpu (to be carried)
#   bench/gpu.sh run [OUT]       there: builds, measures on CUDA, writes OUT (bench/results/...) as it goes
#   bench/gpu.sh dry-run [OUT]   the same steps on the CPU, two small builders: what can be tried without a GPU
#
# There are needed: Python with torch and transformers, cmake, ninja, a C and a C++ compiler. Where the host cannot be
# built (no shared libpython, no Python.h, a torch that the shim does not compile with) the jobs run in plain Python.
#
# Never run so far, for want of a GPU: all that `run` does with --device cuda (CUDA events, launches, CUDA graphs, the
# published sizes). Run: prepare, and dry-run from a bare checkout, with torch 2.11, transformers 5.24 and Python 3.12.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

CARRIED=build/gpu
BUILD=build/gpu-build
PYTHON=${PYTHON:-$(command -v python3)}
STARTED=$SECONDS
LIMIT=${LIMIT:-570} # seconds, the build's with it; machines are lent for 600

say() { echo "[$((SECONDS - STARTED)) s] $*"; }

# Sources of tree-sitter and its grammars as CMake fetches them, and what else CMake looks for, as a prefix.
prepare() {
    local fetched library
    cmake --preset release >/dev/null
    rm -rf $CARRIED
    mkdir -p $CARRIED/prefix/include $CARRIED/prefix/lib
    for variable in TREE_SITTER TREE_SITTER_PYTHON TREE_SITTER_TOML; do
        fetched=$(sed -n "s/^GRAPHMEND_${variable}_DIR:PATH=//p" build/release/CMakeCache.txt)
        case $variable in
        TREE_SITTER) : "${fetched:=build/_deps/tree-sitter-0.24.0}" ;;
        TREE_SITTER_PYTHON) : "${fetched:=build/_deps/tree_sitter_python-0.23.6}" ;;
        TREE_SITTER_TOML) : "${fetched:=build/_deps/tree_sitter_toml-0.7.0}" ;;
        esac
        cp -r "$fetched" "$CARRIED/$variable"
    done
    for name in CJSON SODIUM; do
        cp -r "$(found ${name}_INCLUDE_DIR)"/*"$(tr '[:upper:]' '[:lower:]' <<<"$name")"* $CARRIED/prefix/include/
        library=$(found ${name}_STATIC_LIBRARY)
        [[ -e $library ]] || library=$(found ${name}_SHARED_LIBRARY)
        cp -L "$library" $CARRIED/prefix/lib/
        if [[ $library == *.so ]]; then # a program asks for it by another name when it starts
            cp -L "$library" "$CARRIED/prefix/lib/$(objdump -p "$library" | awk '/SONAME/ { print $2 }')"
        fi
    done
    du -sh $CARRIED
}

found() { sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt; }

configure() {
    cmake -S . -B $BUILD -G Ninja -DCMAKE_BUILD_TYPE=Release -DGRAPHMEND_TESTS=OFF -DGRAPHMEND_WERROR=OFF \
        -DCMAKE_PREFIX_PATH="$PWD/$CARRIED/prefix" -DGRAPHMEND_TREE_SITTER_DIR="$PWD/$CARRIED/TREE_SITTER" \
        -DGRAPHMEND_TREE_SITTER_PYTHON_DIR="$PWD/$CARRIED/TREE_SITTER_PYTHON" \
        -DGRAPHMEND_TREE_SITTER_TOML_DIR="$PWD/$CARRIED/TREE_SITTER_TOML" -DGRAPHMEND_PYTHON="$PYTHON" \
        "$@" >$BUILD.log 2>&1
}

# Sets HOST to what runs the jobs.
build() {
    mkdir -p build
    if configure -DGRAPHMEND_BENCH=ON && cmake --build $BUILD --target graphmend graphmend_host >>$BUILD.log 2>&1 &&
        $BUILD/graphmend-host bench/plain/check.py; then
        HOST=$PWD/$BUILD/graphmend-host
    else
        say "no host: $(tail -n 3 $BUILD.log | tr '\n' ' ')"
        configure -DGRAPHMEND_BENCH=OFF || { cat $BUILD.log && exit 2; }
        cmake --build $BUILD --target graphmend >>$BUILD.log 2>&1 || { tail -n 30 $BUILD.log && exit 2; }
        HOST="$PYTHON $PWD/bench/plain/run.py"
    fi
    say "built; jobs run in $HOST"
}

measure() {
    "$PYTHON" bench/run.py --graphmend "$PWD/$BUILD/graphmend" --host "$HOST" --work build/gpu-work "$@"
}

run() {
    build
    nvidia-smi --query-gpu=name,driver_version,memory.used --format=csv,noheader
    # In half precision, as such models are served. What has started when the budget is spent ends within the time limit
    # of a process.
    measure --full --device cuda --full-size --time float16-eval --machine h200 --jobs 14 --timeout 110 \
        --steady-seconds 0.5 --budget $((LIMIT - 120 - SECONDS + STARTED)) ${1:+--out "$1"}
}

dry_run() {
    build
    measure --quick --device cpu --rows molformer-like,stella-like --machine dry-run --budget 400 \
        --out "${1:-build/gpu-dry-run}"
}

case ${1:-} in
prepare) prepare ;;
run) run "${2:-}" ;;
dry-run) dry_run "${2:-}" ;;
*)
    sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
