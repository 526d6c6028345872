#!/bin/sh
# Provides the HiGHS optimizer that octgen links with.
#
#   scripts/install-highs.sh         make HiGHS available; returns at once, without a word, if it is
#   scripts/install-highs.sh --env   print the environment that builds need, as shell assignments
#
# In this order: a HiGHS that pkg-config knows already; one built earlier into
# .highs/ at the root of the repository; the distribution's package (libhighs-dev,
# or Homebrew's highs); else HiGHS 1.10.0 is built from Debian's source package,
# fetched from the Debian or Ubuntu mirror that this machine's apt is configured
# with, as a static library in .highs/.
#
# What is missing for that (pkg-config, cmake, ninja, a C++ compiler, xz) is
# installed by apt-get as root, or by "sudo -n"; where neither is possible, it
# is named. An interrupted run leaves nothing that looks complete.
set -eu

version=1.10.0
tarball=highs_$version+ds.orig.tar.xz
sha256=5964fc1ca4f0b23dd45987bbed1838f2e570e96aa624635ac63d277152b6c94a

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
prefix=$root/.highs
pcdir=$prefix/lib/pkgconfig

say() { printf '%s\n' "install-highs: $*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The file that is moved into place last says that .highs/ is complete.
built() { [ -f "$pcdir/highs.pc" ]; }

# A HiGHS outside of .highs/.
known() {
  have pkg-config || return 1
  path=
  old_ifs=$IFS
  IFS=:
  for dir in ${PKG_CONFIG_PATH:-}; do
    [ "$dir" = "$pcdir" ] || path=${path:+$path:}$dir
  done
  IFS=$old_ifs
  PKG_CONFIG_PATH=$path pkg-config --exists highs
}

# --env ----------------------------------------------------------------------

# Go's build cache does not see what pkg-config prints, so the flags carry what
# identifies the library: its version and where it is.
print_env() {
  search=${PKG_CONFIG_PATH:-}
  if ! known; then
    built || die "there is no HiGHS yet; run scripts/install-highs.sh first"
    have pkg-config || die "pkg-config is missing"
    case ":$search:" in
      *":$pcdir:"*) ;;
      *) search=$pcdir${search:+:$search} ;;
    esac
  fi
  id=$(
    PKG_CONFIG_PATH=$search
    export PKG_CONFIG_PATH
    v=$(pkg-config --modversion highs)
    sum=$(pkg-config --cflags --libs highs | cksum | cut -d ' ' -f 1)
    printf '%s_%s' "$v" "$sum"
  )
  printf 'PKG_CONFIG_PATH="%s"\n' "$search"
  printf 'CGO_CFLAGS="-O2 -g -DOCTGEN_HIGHS=%s"\n' "$id"
}

# installing packages --------------------------------------------------------

as_root() {
  if [ "$(id -u)" = 0 ]; then
    DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

may_install() {
  have apt-get && { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }
}

updated=
apt_update() {
  [ -z "$updated" ] || return 0
  updated=1
  as_root apt-get -q update >"$work/apt.log" 2>&1 || {
    tail -n 5 "$work/apt.log" >&2
    say "apt-get update failed; going on with the lists there are"
  }
}

apt_install() {
  apt_update
  say "installing $*"
  as_root apt-get -q -y --no-install-recommends install "$@" >"$work/apt.log" 2>&1 || {
    tail -n 20 "$work/apt.log" >&2
    die "apt-get could not install: $*"
  }
}

# need COMMAND PACKAGE...: collects the packages of missing commands.
missing=
need() {
  have "$1" || missing="$missing $2"
}

install_missing() {
  [ -n "$missing" ] || return 0
  may_install || die "please install:$missing (Debian's names; this script may not: it is not root and sudo wants a password)"
  # shellcheck disable=SC2086 # a list of words
  apt_install $missing
  missing=
}

# The distribution's own HiGHS, where it has one.
install_packaged() {
  if may_install; then
    apt_update
    case $(apt-cache policy libhighs-dev 2>/dev/null | sed -n 's/^ *Candidate: *//p') in
      '' | '(none)') return 1 ;;
    esac
    program= # the executable, where it has a package of its own
    case $(apt-cache policy highs 2>/dev/null | sed -n 's/^ *Candidate: *//p') in
      '' | '(none)') ;;
      *) program=highs ;;
    esac
    # shellcheck disable=SC2086 # nothing or one word
    apt_install libhighs-dev pkg-config $program
  elif have brew; then
    say "installing highs and pkg-config by Homebrew"
    brew install highs pkg-config >&2 || return 1
  else
    return 1
  fi
  known || die "the package is installed, but pkg-config does not know highs"
}

# building from source -------------------------------------------------------

# fetch URL FILE: by apt's own transport, which knows the machine's proxies, or
# by what else there is.
fetch() {
  if [ -x /usr/lib/apt/apt-helper ]; then
    /usr/lib/apt/apt-helper download-file "$1" "$2" >"$work/fetch.log" 2>&1
  elif have curl; then
    curl -fsSL --retry 2 -o "$2" "$1" 2>"$work/fetch.log"
  else
    wget -q -O "$2" "$1" 2>"$work/fetch.log"
  fi
}

checksum() {
  if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch_source() {
  for site in $(apt-get indextargets --format '$(SITE)' 2>/dev/null | sort -u); do
    for area in main universe; do
      rm -f "$work/$tarball"
      fetch "$site/pool/$area/h/highs/$tarball" "$work/$tarball" || continue
      [ "$(checksum "$work/$tarball")" = "$sha256" ] && return 0
      say "$tarball from one of apt's mirrors has another checksum than the pinned one; not used"
    done
  done
  if [ -f "$work/fetch.log" ]; then tail -n 3 "$work/fetch.log" >&2; fi
  die "no configured apt mirror offers $tarball; install HiGHS 1.10 or later by other means, such that 'pkg-config --exists highs'"
}

build() {
  need pkg-config pkg-config
  need cmake cmake
  need ninja ninja-build
  need c++ g++
  need xz xz-utils
  [ -x /usr/lib/apt/apt-helper ] || have curl || need wget wget
  install_missing
  have apt-get || die "HiGHS is built from Debian's source package, which needs apt; install HiGHS 1.10 or later such that 'pkg-config --exists highs'"
  say "fetching the source of HiGHS $version"
  if ! apt-get indextargets --format '$(SITE)' 2>/dev/null | grep -q .; then
    die "apt has no package sources configured"
  fi
  fetch_source
  mkdir "$work/src"
  tar -xJf "$work/$tarball" -C "$work/src" --strip-components=1
  say "building HiGHS $version (about two minutes on two cores)"
  {
    cmake -S "$work/src" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DZLIB=OFF -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DCMAKE_INSTALL_LIBDIR=lib \
      -DCMAKE_INSTALL_PREFIX="$work/inst" &&
      ninja -C "$work/build" install
  } >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log" >&2
    die "the build failed"
  }
  write_pc
  # lib, with highs.pc in it, is moved last.
  rm -rf "$prefix/bin" "$prefix/include" "$prefix/lib"
  for part in bin include lib; do
    mv "$work/inst/$part" "$prefix/$part"
  done
}

# HiGHS's own highs.pc lacks the libraries that a static library needs.
write_pc() {
  mkdir -p "$work/inst/lib/pkgconfig"
  cat >"$work/inst/lib/pkgconfig/highs.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include/highs

Name: HiGHS
Description: Linear and mixed-integer optimization
Version: $version
Libs: -L\${libdir} -lhighs -lstdc++ -lm -lpthread
Cflags: -I\${includedir}
PC
}

install() {
  if known || built && have pkg-config; then
    return
  fi
  mkdir -p "$prefix"
  if have flock; then # one run at a time
    exec 9>"$prefix/lock"
    flock 9
  fi
  rm -rf "$prefix"/work.* # of runs that were killed
  work=$(mktemp -d "$prefix/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  if built; then # only pkg-config is missing, or another run was faster
    need pkg-config pkg-config
    install_missing
  elif ! install_packaged; then
    build
  fi
  say "done; '$0 --env' prints what builds need"
}

case ${1:-} in
  '') install ;;
  --env) print_env ;;
  *) die "usage: $0 [--env]" ;;
esac
