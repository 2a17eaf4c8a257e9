#!/usr/bin/env bash
# Verilator -Wall without waivers and Yosys check -assert: lint.sh TOOL SOURCE BUILD [further]
# TOOL: verilator or yosys. Every module, packages first; generated packages stand in BUILD. With `further` instead, what
# reads a memory_pkg or machine_pkg, with each of those of other machines in the build.
set -u
tool=$1 source=$2 build=$3 what=${4:-}
cd "$source" || exit 2
mapfile -t generated < <(find "$build/rtl" -name '*_pkg.sv' -not -path '*machine_pkg_*' -not -path '*memory_pkg_*' | sort)
mapfile -t kept < <(git grep -l '^package ' -- 'rtl/*.sv')
mapfile -t modules < <(git grep -l '^module ' -- 'rtl/*.sv')
mapfile -t -O "${#modules[@]}" modules < <(find "$build/rtl" -name 'special_table.sv')  # generated like its package
mapfile -t folders < <(printf '%s\n' "${modules[@]%/*}" | sort -u | sed 'i -y')  # where Verilator finds what a module instantiates
bad=0

check() { # the packages, and the files of the modules to be checked
  local packages=() files=() file
  while [ "$1" != -- ]; do packages+=("$1"); shift; done
  shift
  files=("$@")
  if [ "$tool" = yosys ]; then
    # Without a top, hierarchy checks every module. Of the others the ports are read.
    local ports=()
    for file in "${modules[@]}"; do
      case " ${files[*]} " in *" $file "*) ;; *) ports+=("$file") ;; esac
    done
    yosys -q -p "read_verilog -sv ${packages[*]} ${files[*]}; ${ports[*]:+read_verilog -sv -lib ${ports[*]};} hierarchy -check; proc; check -assert" || bad=1
    return
  fi
  for file in "${files[@]}"; do
    name=$(basename "$file" .sv)
    verilator --lint-only -Wall --top-module "$name" "${packages[@]}" "${folders[@]}" "$file" || { echo "in $name, ${packages[*]}"; bad=1; }
  done
}

if [ "$what" != further ]; then
  check "${generated[@]}" "${kept[@]}" -- "${modules[@]}"
  echo "$tool: ${#modules[@]} modules checked"
  [ "${#modules[@]}" -gt 0 ] || bad=1
  exit $bad
fi
further=0
while read -r package; do
  kind=$(basename "$package")
  usual=()
  for file in "${generated[@]}"; do [ "$(basename "$file")" = "$kind" ] || usual+=("$file"); done
  if [ "$tool" = verilator ]; then  # what the top instantiates is checked with it
    files=(rtl/chip/chip.sv)
    [ "$kind" = memory_pkg.sv ] && files=(rtl/tile/tile.sv)
  else
    readers=${kind%.sv}::
    [ "$kind" = memory_pkg.sv ] && readers="memory_pkg::\|tile_pkg::\(locate\|in_memory\|executable\)"
    mapfile -t files < <(git grep -l "$readers" -- 'rtl/*.sv' | grep -v -e _pkg.sv -e rtl/chip/)
  fi
  check "$package" "${usual[@]}" "${kept[@]}" -- "${files[@]}"
  further=$((further + 1))
done < <(find "$build/rtl" -path '*_pkg_*/*_pkg.sv' -not -path '*machine_pkg_mk2-[1-9]?*' -not -path '*machine_pkg_mk2/*' | sort)  # the large ones: their own targets verilate them with -Wall
echo "$tool: modules checked with $further further packages"
[ "$further" -gt 0 ] || bad=1
exit $bad
