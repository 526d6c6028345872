#!/bin/sh
# Writes wheels of the Python package into dist/, each with the octgen program of its platform, which `make dist`
# builds. That of Linux on amd64 has HiGHS inside, the others are without it.
#
#   scripts/wheels.sh [PLATFORM...]   such as linux/amd64; without, all that are in dist/
set -eu
cd "$(dirname -- "$0")/.."

say() { printf '%s\n' "wheels: $*" >&2; }

# tag is what installers call a platform. The programs for Linux need no C library, so that they run with any.
tag() {
  case $1 in
  linux-amd64) echo manylinux2014_x86_64.musllinux_1_1_x86_64 ;;
  linux-arm64) echo manylinux2014_aarch64.musllinux_1_1_aarch64 ;;
  darwin-amd64) echo macosx_12_0_x86_64 ;;
  darwin-arm64) echo macosx_12_0_arm64 ;;
  windows-amd64) echo win_amd64 ;;
  windows-arm64) echo win_arm64 ;;
  *) say "no wheels for $1"; exit 2 ;;
  esac
}

tools=.tools/wheel
if [ ! -x $tools/bin/hatchling ]; then
  mkdir -p .tools
  python3 -m venv --clear $tools || { sh scripts/install-test-tools.sh python3-venv && /usr/bin/python3 -m venv --clear $tools; }
  $tools/bin/python -m pip -q --disable-pip-version-check install hatchling==1.28.0 hatch-vcs==0.5.0
fi
if [ $# -eq 0 ]; then
  for f in dist/octgen-*-amd64* dist/octgen-*-arm64*; do
    f=${f##*/octgen-}
    set -- "$@" "${f%.exe}"
  done
fi
for platform; do
  platform=$(printf %s "$platform" | tr / -)
  binary=dist/octgen-$platform
  if [ -f "$binary.exe" ]; then binary=$binary.exe; fi
  if [ ! -f "$binary" ]; then say "no $binary; make dist builds it"; exit 1; fi
  OCTGEN_BINARY=$binary OCTGEN_TAG=$(tag "$platform") $tools/bin/hatchling build -t wheel -d dist >/dev/null
done
ls dist/*.whl
