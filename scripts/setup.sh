# Shared by the scripts beside it: what a fresh Debian or Ubuntu machine needs, and the builds.
# Everything said here goes to standard error: standard output belongs to muster.

build_packages="cmake ninja-build pkg-config ccache libyaml-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libre2-dev libctemplate-dev zlib1g-dev"
# slurmctld, its client and its plugins: the real thing that generated files are held against.
test_packages="catch2 librapidcheck-dev libvalijson-dev slurmctld slurm-client slurm-wlm-basic-plugins python3-yaml shellcheck cmark-gfm libxml2-utils"
# What the targets of tests/fuzz are built with; llvm-14 says which lines they reach.
fuzz_packages="clang-14 libclang-rt-14-dev llvm-14 python3"

say() { echo "$*" >&2; }

# install_missing PACKAGE...: those that dpkg does not have yet, in one go.
install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian: the build needs what these packages hold: $*"
    return 0
  fi
  command -v c++ >/dev/null || set -- g++ "$@"
  missing=""
  for package in "$@"; do
    case "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" in
      ii*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  # A program that came another way will do.
  for pair in cmake:cmake ninja-build:ninja pkg-config:pkg-config ccache:ccache; do
    if command -v "${pair#*:}" >/dev/null; then missing=" $(echo "$missing " | sed "s/ ${pair%:*} / /")"; fi
  done
  missing=$(echo $missing)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null; then
    as_root="sudo"
  else
    say "missing packages, and neither root nor sudo to install them: apt-get install $missing"
    return 1
  fi
  say "installing with apt-get: $missing"
  # shellcheck disable=SC2086  # words are meant
  $as_root apt-get update -q >&2 &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2
}

# fetch_judges: what npm carries for the tests, the schema of SARIF and axe-core, each in build/judges/NAME/package; without
# npm what asks them is skipped.
fetch_judges() {
  for package in sarif=@microsoft/jest-sarif@1.0.0-beta.0 axe=axe-core@4.10.2; do
    folder=build/judges/${package%%=*}
    package=${package#*=}
    [ ! -d "$folder/package" ] && command -v npm >/dev/null || continue
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "$package" >&2 && tar -xzf ./*.tgz) || say "npm cannot fetch $package"
  done
}

# build PRESET [TARGET]: configures once, then builds what is stale; silent when nothing changed since the last time.
# Without a target the tests are built, too, which need packages that the program does not.
build() {
  stamp="build/$1/.built-${2:-all}"
  if [ -f "$stamp" ] &&
    [ -z "$(find CMakeLists.txt CMakePresets.json packaging src rules schemas styles templates tests -newer "$stamp" -print -quit)" ]; then
    return 0
  fi
  if [ ! -f "build/$1/build.ninja" ] ||
    { [ $# -eq 1 ] && grep -q '^BUILD_TESTING:BOOL=OFF' "build/$1/CMakeCache.txt"; }; then
    say "configuring build/$1"
    tests=ON
    [ $# -eq 1 ] || tests=OFF
    cmake --preset "$1" -DBUILD_TESTING=$tests >&2 || return 1
  fi
  say "building build/$1"
  touch "$stamp.begun"  # what is saved while the compiler runs is stale afterwards
  # Ninja would start two compilers more than there are processors: they take each other's cache, and a tenth of the time.
  cmake --build --preset "$1" --parallel "$(nproc)" ${2:+--target "$2"} >&2 || return 1
  mv "$stamp.begun" "$stamp"
}
