#!/usr/bin/env bash
# README's own program, built against an installation as README says, and by pkg-config and CMake: install_test.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
sed -n '/^```c++$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$work/hello.cpp"
cd "$work"
# Nothing of the build tree may help.
export TESSERA_QUIET=1 TESSERA_MACHINE=mk2-4 XDG_CACHE_HOME=$work/cache
. "$work/prefix/enable"

g++ -std=c++11 hello.cpp -lpoplar -o hello
for backend in model rtl; do
  [ "$(TESSERA_BACKEND=$backend ./hello)" = "out: [40 42]" ] || { echo "hello printed something else on $backend"; exit 1; }
done

# The fault of docs/user/faults.md: a packet of tile 0 is dropped at the host.
echo 'packet-out tile=0 bit=3 cycle=500' >faults.txt
for backend in model rtl; do
  [ "$(TESSERA_BACKEND=$backend TESSERA_INSPECT=faults=faults.txt ./hello)" = "out: [0 42]" ] || { echo "hello did not show the fault on $backend"; exit 1; }
done

# Machines are those of the installation, wherever the source tree has gone.
[[ $(tessera version) == *"machines in $work/prefix/"* ]] || { echo "tessera version does not name the machines installed"; exit 1; }
cp prefix/share/tessera/machines/mk2-4.toml prefix/share/tessera/machines/here.toml
TESSERA_MACHINE=here TESSERA_BACKEND=model ./hello

g++ -std=c++11 hello.cpp $(pkg-config --cflags --libs poplar) -o hello_pkg_config
TESSERA_BACKEND=model ./hello_pkg_config

# A program of the libraries, by the names that programs link and by CMake.
sed -n '/^```cpp$/,/^```$/p' "$source/docs/user/libraries.md" | sed '/^```/d' >operations.cpp
g++ -std=c++11 operations.cpp -lpopops -lpoputil -lpoplar -o operations
for backend in model rtl; do
  [ "$(TESSERA_BACKEND=$backend ./operations)" = "sum 30, largest 16" ] || { echo "operations printed something else on $backend"; exit 1; }
done
g++ -std=c++11 operations.cpp $(pkg-config --cflags --libs popops) -o operations_pkg_config
mkdir libraries
cat >libraries/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(operations CXX)
find_package(poplibs REQUIRED)
add_executable(operations ../operations.cpp)
target_link_libraries(operations PRIVATE popops)
END
cmake -S libraries -B libraries/build >/dev/null
cmake --build libraries/build >/dev/null
TESSERA_BACKEND=model ./libraries/build/operations >/dev/null

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(hello CXX)
find_package(poplar REQUIRED)
add_executable(hello ../hello.cpp)
target_link_libraries(hello PRIVATE poplar)
END
cmake -S project -B project/build >/dev/null
cmake --build project/build >/dev/null
TESSERA_BACKEND=model ./project/build/hello

echo 'class V : public poplar::Vertex { public: bool compute() { return true; } };' | sed '1i #include <poplar/Vertex.hpp>' >v.cpp
popc v.cpp -o v.gp
[ -s v.gp ]
for file in share/doc/tessera/reference/instructions.md share/tessera/machines/mk2.toml share/doc/tessera/LICENSE; do
  [ -f "prefix/$file" ] || { echo "$file is not installed"; exit 1; }
done

# The pages, and what they link to; a page may name a place in another.
docs=$work/prefix/share/doc/tessera
for page in "$source"/docs/user/* "$source"/docs/reference/* "$build"/docs/reference/*.md; do
  [ -f "$docs/$(basename "$(dirname "$page")")/$(basename "$page")" ] || { echo "$page is not installed"; exit 1; }
done
links=0
for page in "$docs"/user/*.md "$docs"/reference/*.md; do
  while read -r link; do
    [ -n "$link" ] || continue
    links=$((links + 1))
    file=${link%%#*} place=
    [[ $link != *'#'* ]] || place=${link##*#}
    file=$(dirname "$page")/${file:-$(basename "$page")}
    [ -f "$file" ] || { echo "$page links to $link, which is not installed"; exit 1; }
    [ -z "$place" ] || sed -n 's/^##* //p' "$file" | tr -dc 'A-Za-z0-9 _\n-' | tr 'A-Z ' 'a-z-' | grep -qx -- "$place" || { echo "$page links to $link, and there is no such place"; exit 1; }
  done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^https?:')
done
[ $links -gt 20 ] || { echo "only $links links were found"; exit 1; }

# Benches of other people: the installed examples, against the package Tessera alone.
examples=$work/prefix/share/doc/tessera/examples
{
  echo 'cmake_minimum_required(VERSION 3.16)'
  echo 'project(examples CXX)'
  for example in tile_bench chip_bench systemc_host systemc_gateway systemc_link; do echo "add_subdirectory($examples/$example $example)"; done
} >project/CMakeLists.txt
cmake -S project -B benches >/dev/null
cmake --build benches --parallel 2 >/dev/null
shows() { # PART PROGRAM...: the program succeeds and its output has the part
  local part=$1 output; shift
  output=$("$@" 2>/dev/null) && [[ $output == *"$part"* ]] || { echo "$* does not show '$part'"; exit 1; }
}
shows 'sum 15, cause 2' benches/tile_bench/tile_bench
shows 'lockstep: tile 2 differs in superstep 0' benches/chip_bench/chip_bench
for backend in model rtl; do
  shows 'sum 1234, far ' benches/systemc_gateway/systemc_gateway $backend
  shows 'sum 85344, in cycle ' benches/systemc_link/systemc_link $backend
  for style in now wait 1 1000 1000000; do shows "the chip's sum is 1234" timeout 60 benches/systemc_host/systemc_host $backend $style; done
  "$source/tests/inspect/benches/looked_into_test.sh" "$work/prefix/bin/tessera" "$work/benches/chip_bench/chip_bench" \
    "$work/benches/systemc_host/systemc_host" $backend
done
python3 "$source/tests/inspect/gdb/session.py" "$source/tests/inspect/benches/chip.session" rtl "$work/prefix/bin/tessera" \
  "$work/benches/chip_bench/chip_bench" rtl

# A host of firmware finds the machine of the installation; without it, it says what to do.
mkdir host
cp prefix/share/tessera/firmware/examples/exception_handler/host.cpp host/
cat >host/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(firmware_host CXX)
find_package(Tessera REQUIRED COMPONENTS firmware)
add_executable(firmware_host host.cpp)
target_link_libraries(firmware_host PRIVATE Tessera::firmware)
END
cmake -S host -B host/build >/dev/null
cmake --build host/build >/dev/null
cmake -S prefix/share/tessera/firmware/examples -B firmware --log-level=WARNING >/dev/null
cmake --build firmware >/dev/null
for backend in model rtl; do
  host/build/firmware_host firmware/exception_handler.elf $backend | diff "$source/sw/firmware/examples/exception_handler/expected.txt" - || { echo "a host of firmware fails on $backend"; exit 1; }
done
if said=$(TESSERA_ROOT= host/build/firmware_host firmware/exception_handler.elf model 2>&1) || [[ $said != *"PREFIX/enable"* ]]; then echo "a host without its installation says: $said"; exit 1; fi

# Projects that do not find Tessera say what to do, in one sentence of ours.
for project in "$examples"/{tile_bench,chip_bench,systemc_host,systemc_gateway,systemc_link} prefix/share/tessera/firmware/examples; do
  if said=$(env -u CMAKE_PREFIX_PATH -u TESSERA_ROOT PATH=/usr/bin:/bin cmake -S "$project" -B "lost/${project##*/}" 2>&1); then
    echo "$project finds Tessera where there is none"
    exit 1
  fi
  grep -qF '. PREFIX/enable' <<<"$said" && ! grep -qE 'TesseraConfig.cmake|CMAKE_C_COMPILER|toolchain' <<<"$said" || { echo "$project says: $said"; exit 1; }
done
cmake -S prefix/share/tessera/firmware/examples -B lost/examples >/dev/null || { echo "what was not found once is not found again"; exit 1; }

# A new firmware, three commands.
tessera new firmware fw >/dev/null
(cd fw && cmake --workflow --preset firmware >/dev/null 2>&1) || { echo "the new firmware does not build"; exit 1; }
shows 'hello' tessera run fw/build/fw.elf --backend model --machine mk2-16
sed -i 's|^set(TESSERA ".*" CACHE|set(TESSERA "/moved" CACHE|' fw/CMakeLists.txt
if said=$(cmake -S fw -B lost/fw 2>&1) || [[ $said != *"TESSERA='/moved'"*"PREFIX"* ]]; then echo "a firmware project whose Tessera has moved says: $said"; exit 1; fi
