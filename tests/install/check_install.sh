#!/usr/bin/env bash
# Installs the build tree into a temporary folder, builds the README's example against it and runs it.
# check_install.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
mkdir "$work/project"
cp "$source/tests/install/CMakeLists.txt" "$work/project/"
sed -n '/^```cpp$/,/^```$/p' "$source/README.md" | sed '1d;$d' >"$work/project/main.cpp"
grep -q 'session.cook' "$work/project/main.cpp"
cmake -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build"
cd "$work"
prefix/bin/selvage example cape --out .
"$work/build/outside"
test -s cape.0012.bgeo.sc
"$work/prefix/bin/selvage" inspect cape.0012.bgeo.sc | grep -q sv_strain
echo "installed, built and ran"
