#!/usr/bin/env bash
# Installs the Houdini package, moves it elsewhere, and looks whether it is whole and names no place
# of the machine that built it:  check_houdini_package.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first/houdini" "$work/moved"
json=$work/moved/packages/selvage.json root=$work/moved/selvage
[ -f "$json" ] || fail "packages/selvage.json is missing"

# Every path of the JSON starts at the JSON's own folder.
grep -o '\$[A-Z_]*[^"]*' "$json" | while read -r path; do
    case $path in
        '$HOUDINI_PACKAGE_PATH/../selvage'*) ;;
        *) fail "not relocatable: $path" ;;
    esac
done
[ -d "$(dirname "$json")/../selvage" ] || fail "hpath leads nowhere"

for part in help/nodes/sop help/nodes/dop config/Icons toolbar scripts/python presets/selvage viewer_states otls; do
    [ -n "$(ls "$root/$part" 2>/dev/null)" ] || fail "$part is empty"
done
diff -r "$source/otls" "$root/otls"
diff -r "$source/plugin/houdini/package/help" "$root/help"
! grep -rlF -e "$source" -e "$build" "$work/moved" || fail "names the folder it was built in"
if command -v python3 >/dev/null; then
    find "$work/moved" -name '*.py' -print0 | xargs -0 -n1 python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())'
    find "$work/moved" -name '*.json' -print0 | xargs -0 -n1 python3 -c 'import json, sys; json.load(open(sys.argv[1]))'
fi

# Houdini_ROOT alone asks for the plugin; where it leads nowhere, a warning says so.
cmake -S "$source" -B "$work/root" -DSELVAGE_TESTS=OFF -DHoudini_ROOT="$work/nowhere" >"$work/log" 2>&1
grep -q '^SELVAGE_HOUDINI:BOOL=ON' "$work/root/CMakeCache.txt" || fail "-DHoudini_ROOT does not switch the plugin on"
grep -q 'No Houdini found' "$work/log" || fail "no word about the missing Houdini"
echo "the package is whole: $(find "$work/moved" -type f | wc -l) files"
